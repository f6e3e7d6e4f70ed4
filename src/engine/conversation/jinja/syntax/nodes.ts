import type { tokenize } from '@huggingface/jinja';

/** A word or sign of a template's source. */
export type Token = ReturnType<typeof tokenize>[number];

/** The nodes of a parsed template, as @huggingface/jinja's parser makes them. */
export type Node =
  | { type: 'Program'; body: Node[] }
  | { type: 'If'; test: Node; body: Node[]; alternate: Node[] }
  | { type: 'For'; loopvar: Node; iterable: Node; body: Node[]; defaultBlock: Node[] }
  | { type: 'Break' | 'Continue' }
  | { type: 'Comment'; value: string }
  | { type: 'Set'; assignee: Node; value: Node | null; body: Node[] }
  | { type: 'Macro'; name: Identifier; args: Node[]; body: Node[] }
  | { type: 'CallStatement'; call: Call; callerArgs: Node[] | null; body: Node[] }
  | { type: 'FilterStatement'; filter: Identifier | Call; body: Node[] }
  | { type: 'MemberExpression'; object: Node; property: Node; computed: boolean }
  | Call
  | Identifier
  | { type: 'IntegerLiteral' | 'FloatLiteral'; value: number }
  | { type: 'StringLiteral'; value: string }
  | { type: 'ArrayLiteral' | 'TupleLiteral'; value: Node[] }
  | { type: 'ObjectLiteral'; value: Map<Node, Node> }
  | { type: 'BinaryExpression'; operator: { value: string }; left: Node; right: Node }
  | { type: 'UnaryExpression'; operator: { value: string }; argument: Node }
  | { type: 'FilterExpression'; operand: Node; filter: Identifier | Call }
  | { type: 'TestExpression'; operand: Node; negate: boolean; test: Identifier }
  | { type: 'SelectExpression'; lhs: Node; test: Node }
  | { type: 'Ternary'; condition: Node; trueExpr: Node; falseExpr: Node }
  | Slice
  | { type: 'KeywordArgumentExpression'; key: Identifier; value: Node }
  | { type: 'SpreadExpression' | 'KeywordSpreadExpression'; argument: Node };

export interface Identifier {
  type: 'Identifier';
  value: string;
}

export interface Call {
  type: 'CallExpression';
  callee: Node;
  args: Node[];
}

export interface Slice {
  type: 'SliceExpression';
  start?: Node;
  stop?: Node;
  step?: Node;
}
