/* What this project uses of preact.js. The templates of `html` are not checked; components are. */

export interface VNode {
  readonly type: unknown;
}
export type Child = VNode | string | number | boolean | null | undefined | Child[];

export function html(parts: TemplateStringsArray, ...values: unknown[]): VNode;
export function render(page: VNode, root: Element): void;

export interface Ref<T> {
  current: T;
}
export function useRef<T>(first: T): Ref<T>;
export function useState<T>(first: T): [T, (next: T | ((now: T) => T)) => void];
export function useEffect(work: () => void | (() => void), inputs?: readonly unknown[]): void;
export function useLayoutEffect(work: () => void | (() => void), inputs?: readonly unknown[]): void;

/** A component as preact keeps it: a function component is called with it as its `this`. */
export interface Component<Props> {
  props: Props;
  shouldComponentUpdate?: (next: Props) => boolean;
  forceUpdate(): void;
}
