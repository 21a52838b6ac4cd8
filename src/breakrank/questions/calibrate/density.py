"""A neural conditional density: small networks whose outputs are mixtures of normals, one after the other.

The density of u (k,) given c (q,) is a product over the places of u: the j-th is a mixture of normals whose
shares, means and spreads a network with one hidden layer computes from c and the places before j (Bishop
1994; Uria, Murray and Larochelle 2013). Several members are trained, each stopped by a part of the rows of
its own that it has not seen, and averaged. Everything is NumPy in double precision and a pure function of the
arguments: members, rows and steps are drawn from a generator with a fixed key.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from breakrank.questions.calibrate.regression import Array, Numbers

COMPONENTS = 4
"""Normals in each mixture."""
WIDTH = 32
"""Units of the hidden layer."""
MEMBERS = 5
"""Networks that are averaged; each leaves one in so many rows out to be stopped by."""
BATCH = 128
"""Rows of a step."""
RATE = 6e-3
"""Step length of Adam at the beginning; it falls to zero as half a cosine."""
DECAY = 1e-3
"""Decay of weights, for each unit of step length."""
EPOCHS = 100
"""Most passes over the rows."""
PATIENCE = 15
"""Passes without a better score on the rows left out after which a training ends."""
NARROWEST, WIDEST = 1e-3, 1e3
"""Least and largest spread of a normal, where 1 is what stays unknown on average."""
_LOG_ROOT = 0.5 * float(np.log(2.0 * np.pi))


@dataclass(frozen=True, slots=True)
class Density:
    """A trained density.

    Attributes
    ----------
    first, bias : of the hidden layer (members, k, q + k, h) and (members, k, 1, h).
    second, last : of the output (members, k, h, 3 m) and (members, k, 1, 3 m): logits of the shares,
        means and logarithms of the spreads of m normals.
    """

    first: Array
    bias: Array
    second: Array
    last: Array

    @property
    def members(self) -> int:
        """How many networks there are."""
        return len(self.first)

    def log(self, u: Array, c: Array) -> Array:
        """Return the logarithm of the density of rows of u (n, k) given rows of c (n, q): (n,)."""
        x = _inputs(
            np.broadcast_to(u, (self.members, *u.shape)), np.broadcast_to(c, (self.members, *c.shape))
        )
        each = _mixed(_outputs(self._weights, x)[1], _targets(u[None]))[0].sum(axis=1)
        top = each.max(axis=0)
        return np.asarray(top + np.log(np.exp(each - top).mean(axis=0)))

    def drawn(self, c: Array, picks: Array, noise: Array) -> Array:
        """Return draws of u given one c, the same number from each member.

        Parameters
        ----------
        c : the condition (q,).
        picks : uniform between 0 and 1 (n, k): which normal; n is a multiple of the members.
        noise : standard normal (n, k).
        """
        members, (n, k) = self.members, noise.shape
        picks, noise = (x.reshape(members, n // members, k) for x in (picks, noise))
        u = np.zeros(noise.shape)
        given = np.broadcast_to(c, (members, n // members, len(c)))
        for j in range(k):
            x = np.concatenate([given, _before(u, j)], axis=2)
            hidden = np.tanh(x @ self.first[:, j] + self.bias[:, j])
            shares, means, spreads = _split(hidden @ self.second[:, j] + self.last[:, j])
            which = (picks[..., j, None] > np.cumsum(shares, axis=-1)[..., :-1]).sum(axis=-1)[..., None]
            mean, spread = (np.take_along_axis(a, which, axis=-1)[..., 0] for a in (means, spreads))
            u[..., j] = mean + spread * noise[..., j]
        return u.reshape(n, k)

    @property
    def _weights(self) -> list[Array]:
        return [self.first, self.bias, self.second, self.last]


def learn_density(u: Array, c: Array, weights: Array, key: int = 0) -> Density:
    """Learn the density of u (n, k) given c (n, q) from weighted rows; see the module.

    Parameters
    ----------
    weights : of the rows (n,), above or equal to 0.
    key : of the generator that all that is random here is drawn from.
    """
    rng = np.random.default_rng([key, 0x64656E73])
    n, k = u.shape
    weights = weights / weights.mean()
    values = begun(rng, k, c.shape[1])
    best, score = [v.copy() for v in values], np.full(MEMBERS, np.inf)
    fold = rng.permutation(n) % MEMBERS
    kept = _equal([np.flatnonzero(fold == m) for m in range(MEMBERS)])
    seen = _equal([np.flatnonzero(fold != m) for m in range(MEMBERS)])
    steps = max(1, seen.shape[1] // BATCH)
    mean, square = [np.zeros_like(v) for v in values], [np.zeros_like(v) for v in values]
    done, since = 0, 0
    for _ in range(EPOCHS):
        order = rng.permuted(seen, axis=1)
        for taken in np.array_split(order[:, : steps * min(BATCH, seen.shape[1])], steps, axis=1):
            _, gradients = loss(values, u[taken], c[taken], weights[taken])
            done += 1
            rate = RATE * 0.5 * (1.0 + np.cos(np.pi * done / (EPOCHS * steps)))
            for i, g in enumerate(
                gradients
            ):  # Adam (Kingma and Ba 2015), decay apart (Loshchilov and Hutter 2019)
                mean[i] += 0.1 * (g - mean[i])
                square[i] += 0.001 * (g * g - square[i])
                step = (mean[i] / (1 - 0.9**done)) / (np.sqrt(square[i] / (1 - 0.999**done)) + 1e-8)
                values[i] -= rate * (step + DECAY * values[i])
        now, _ = loss(values, u[kept], c[kept], weights[kept], gradients=False)
        since = 0 if (now < score - 1e-4).any() else since + 1
        for b, v in zip(best, values, strict=True):
            b[now < score] = v[now < score]
        score = np.minimum(score, now)
        if since >= PATIENCE:
            break
    return Density(*best)


def begun(rng: np.random.Generator, k: int, q: int) -> list[Array]:
    """Return weights before training: nearly a standard normal, whatever is given."""
    m = COMPONENTS
    first = rng.normal(size=(MEMBERS, k, q + k, WIDTH)) / np.sqrt(q + k)
    second = 0.01 * rng.normal(size=(MEMBERS, k, WIDTH, 3 * m))
    last = np.zeros((MEMBERS, k, 1, 3 * m))
    # a little apart, or all would learn the same
    last[..., m : 2 * m] = np.linspace(-0.5, 0.5, m)
    return [first, np.zeros((MEMBERS, k, 1, WIDTH)), second, last]


def loss(
    values: list[Array], u: Array, c: Array, weights: Array, *, gradients: bool = True
) -> tuple[Array, list[Array]]:
    """Return the mean negative log density of each member (members,), and its gradients by `values`.

    Parameters
    ----------
    u, c, weights : rows of each member: (members, n, k), (members, n, q), (members, n).
    """
    x = _inputs(u, c)
    hidden, out = _outputs(values, x)
    target = _targets(u)
    log, (pull, away, spreads, shares) = _mixed(out, target)
    found = -(weights * log.sum(axis=1)).mean(axis=1)
    if not gradients:
        return found, []
    w = weights[:, None, :, None] / weights.shape[1]
    free = (spreads > NARROWEST) & (spreads < WIDEST)
    back = np.concatenate(
        [w * (shares - pull), -w * pull * away / spreads, w * pull * (1.0 - away * away) * free], axis=-1
    )
    inner = (back @ values[2].swapaxes(-1, -2)) * (1.0 - hidden * hidden)
    first = x.swapaxes(-1, -2) @ inner
    return found, [
        first * _mask(u.shape[-1], c.shape[-1])[..., None],
        inner.sum(axis=-2, keepdims=True),
        hidden.swapaxes(-1, -2) @ back,
        back.sum(axis=-2, keepdims=True),
    ]


def _inputs(u: Array, c: Array) -> Array:
    """Return what each place is computed from (members, k, n, q + k): c, and the places before, else 0."""
    k = u.shape[-1]
    both = np.concatenate([c, u], axis=-1)
    return both[:, None] * _mask(k, c.shape[-1])[None, :, None, :]


def _mask(k: int, q: int) -> Array:
    return np.concatenate([np.ones((k, q)), np.tril(np.ones((k, k)), -1)], axis=1)


def _before(u: Array, j: int) -> Array:
    out = np.zeros_like(u)
    out[..., :j] = u[..., :j]
    return out


def _targets(u: Array) -> Array:
    return np.swapaxes(u, -1, -2)[..., None]


def _outputs(values: list[Array], x: Array) -> tuple[Array, Array]:
    first, bias, second, last = values
    hidden = np.tanh(x @ first + bias)
    return hidden, hidden @ second + last


def _split(out: Array) -> tuple[Array, Array, Array]:
    """Return shares, means and spreads of the normals (..., m each)."""
    logits, means, logs = np.split(out, 3, axis=-1)
    shares = np.exp(logits - logits.max(axis=-1, keepdims=True))
    shares /= shares.sum(axis=-1, keepdims=True)
    return shares, means, np.exp(np.clip(logs, np.log(NARROWEST), np.log(WIDEST)))


def _mixed(out: Array, target: Array) -> tuple[Array, tuple[Array, Array, Array, Array]]:
    """Return log densities (members, k, n), and of each normal responsibility, distance, spread, share."""
    shares, means, spreads = _split(out)
    away = (target - means) / spreads
    logs = np.log(shares + 1e-300) - 0.5 * away * away - np.log(spreads) - _LOG_ROOT
    top = logs.max(axis=-1, keepdims=True)
    each = np.exp(logs - top)
    total = each.sum(axis=-1, keepdims=True)
    return (top + np.log(total))[..., 0], (each / total, away, spreads, shares)


def _equal(rows: list[Numbers]) -> Numbers:
    least = min(len(r) for r in rows)
    return np.stack([r[:least] for r in rows])
