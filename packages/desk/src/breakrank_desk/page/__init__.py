"""The view of the desk in Breakrank's page: the requests that this package answers there."""
