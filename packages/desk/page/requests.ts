import { get, post } from "$page/api/client";
import type { Beside, Decision, DeskText, DeskView, Figure } from "./types";

/** What is asked of the desk; see `breakrank_desk.page.routes`. */
export const requests = {
  desk: () => get<DeskView>("/api/desk"),
  text: (source: string) => get<DeskText>(`/api/desk/texts/${encodeURIComponent(source)}`),
  decide: (decision: Decision) => post<{ desk: DeskView; text: DeskText }>("/api/desk/decide", decision),
  mark: (source: string, paragraph: number, at: number, step: -1 | 0 | 1) => post<Figure>("/api/desk/mark", { source, paragraph, at, step }),
  beside: (fuller: string, shorter: string) => get<Beside>(`/api/desk/links/${encodeURIComponent(fuller)}/${encodeURIComponent(shorter)}`),
  judge: (fuller: string, shorter: string, separate: boolean) => post<{ desk: DeskView; beside: Beside }>("/api/desk/judge", { fuller, shorter, separate }),
  answer: (id: string, answer: string) => post<DeskView>("/api/desk/answer", { id, answer }),
  setKind: (source: string, paragraph: number, kind: string) => post<{ desk: DeskView; text: DeskText }>("/api/desk/kind", { source, paragraph, kind }),
  settle: (one: string, two: string) => post<DeskView>("/api/desk/settle", { one, two }),
};
