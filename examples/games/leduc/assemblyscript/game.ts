// Leduc poker: the rules of a game as a module, to start from.
//
// The referee asks in lines, and this module answers in lines. The first part is the game. YOUR GAME GOES
// HERE: put another class `Game` into its place. The second part reads the calls, and can stay as it is.

const ABOUT = `rules 1
name leduc
title Leduc poker
about two rounds of betting with six cards
seats 2
most 26
help There are six cards: two jacks, two queens and two kings.
help Each seat has 13 chips, puts 1 into the pot, and gets one card, which the other seat does not see.
help After a round of betting, a card is turned up for both seats: the board. Then there is another round.
help Seat 0 begins each round. A seat that owes nothing can check or raise; otherwise call, raise or fold.
help A raise is 2 chips in the first round and 4 in the second. Each round has at most two raises.
help A seat that folds loses the pot. At the end, a card equal to the board wins it, or else the higher card.
help If the cards are equal, each seat takes back what it put in. You score the chips that you have at the end.
`;

// The game

const CARDS = ["J", "Q", "K"];
const CHIPS = 13;
const RAISES = [2, 4];
const MOST_RAISES = 2;

/** One game. A function that can refuse gives the reason, or "", and changes nothing where it refuses. */
class Game {
  /** Of seat 0, of seat 1, and the board. */
  cards: string[] = [];
  /** From each seat. */
  pot: i32[] = [1, 1];
  /** Of each round. */
  moves: string[][] = [[], []];
  round: i32 = 0;
  isOver: bool = false;
  /** When the game is over. */
  scores: i32[] = [CHIPS, CHIPS];

  /** May a game begin with these options, which are words `KEY=VALUE`? */
  static refuses(options: string[]): string {
    const isFine = options.length == 1 && options[0] == "seats=2";
    return isFine ? "" : "Leduc poker has two seats and no options";
  }

  constructor(options: string[]) {}

  /** Adds what comes next, and what each seat may know. */
  state(lines: string[]): void {
    if (this.isOver) {
      lines.push(`over ${this.scores[0]} ${this.scores[1]}`);
    } else if (this.isChance()) {
      let line = "chance";
      for (let i = 0; i < CARDS.length; i++) {
        const left = this.left(CARDS[i]);
        if (left > 0) line += ` ${left}*${CARDS[i]}`;
      }
      lines.push(line);
    } else {
      const legal = this.legal();
      lines.push(`turn ${this.turn()}`);
      for (let i = 0; i < legal.length; i++) lines.push(`move ${legal[i]}`);
      lines.push(`fallback ${legal[0]}`);
    }
    if (!this.isOver) lines.push(`walkover ${CHIPS + this.pot[1]} ${CHIPS + this.pot[0]}`);
    lines.push(`view * round ${this.round + 1}`);
    lines.push(`view * pot ${this.pot[0]} ${this.pot[1]}`);
    if (this.moves[0].length > 0) lines.push(`view * first ${this.moves[0].join(" ")}`);
    if (this.moves[1].length > 0) lines.push(`view * second ${this.moves[1].join(" ")}`);
    for (let seat = 0; seat < 2 && seat < this.cards.length; seat++) {
      lines.push(`view ${seat} card ${this.cards[seat]}`);
    }
    if (this.cards.length == 3) lines.push(`view * board ${this.cards[2]}`);
    if (this.isShown()) lines.push(`view * shown ${this.cards[0]} ${this.cards[1]}`);
  }

  /** Nature has drawn this card. Adds the events. */
  happen(card: string, lines: string[]): string {
    if (!this.isChance() || !CARDS.includes(card) || this.left(card) == 0) {
      return "this card cannot be drawn now";
    }
    const seat = this.cards.push(card) - 1;
    if (seat == 2) {
      lines.push(`event board ${card}`);
      lines.push(`tell The board is ${card}`);
    } else {
      lines.push(`secret ${seat} deal ${seat} ${card}`);
      lines.push(`tell {${seat}} gets ${card}`);
      lines.push(`others deal ${seat} ?`);
      lines.push(`tell {${seat}} gets a card`);
    }
    return "";
  }

  /** Is this move legal now? */
  check(move: string): string {
    return this.legal().includes(move) ? "" : "this move is not possible now";
  }

  /** The seat whose turn it is plays this legal move. Adds the events. */
  play(move: string, lines: string[]): void {
    const seat = this.turn();
    this.moves[this.round].push(move);
    lines.push(`event ${seat} ${move}`);
    lines.push(`tell {${seat}} ${move}s`);
    if (move == "fold") {
      this.end(1 - seat);
    } else if (move == "raise") {
      this.pot[seat] = this.pot[1 - seat] + RAISES[this.round];
    } else {
      this.pot[seat] = this.pot[1 - seat];
      if (move == "check" && seat == 0) return;
      if (this.round == 0) {
        this.round = 1;
        return;
      }
      const more = this.strength(0) - this.strength(1);
      this.end(more > 0 ? 0 : more < 0 ? 1 : -1);
      lines.push(`event shown ${this.cards[0]} ${this.cards[1]}`);
      lines.push(`tell {0} shows ${this.cards[0]} and {1} shows ${this.cards[1]}`);
    }
  }

  /** Is it nature that decides next? */
  isChance(): bool {
    return !this.isOver && this.cards.length < 2 + this.round;
  }

  /** The number of these cards that are not drawn. */
  left(card: string): i32 {
    let left = 2;
    for (let i = 0; i < this.cards.length; i++) if (this.cards[i] == card) left--;
    return left;
  }

  /** The seat that is to move. */
  turn(): i32 {
    return this.moves[this.round].length % 2;
  }

  /** The legal moves. The first of them costs nothing. */
  legal(): string[] {
    if (this.isOver || this.isChance()) return [];
    const moves = this.pot[0] == this.pot[1] ? ["check"] : ["fold", "call"];
    let raises = 0;
    const before = this.moves[this.round];
    for (let i = 0; i < before.length; i++) if (before[i] == "raise") raises++;
    if (raises < MOST_RAISES) moves.push("raise");
    return moves;
  }

  /** The strength of a seat's card beside the board. */
  strength(seat: i32): i32 {
    const card = this.cards[seat];
    return CARDS.indexOf(card) + (card == this.cards[2] ? CARDS.length : 0);
  }

  /** Has the game ended with both cards on the table? */
  isShown(): bool {
    const moves = this.moves[this.round];
    return this.isOver && moves[moves.length - 1] != "fold";
  }

  /** Ends the game. Without a winner, which is -1, each seat takes back what it has put in. */
  end(winner: i32): void {
    this.isOver = true;
    if (winner >= 0) {
      const lost = this.pot[1 - winner];
      this.scores[winner] += lost;
      this.scores[1 - winner] -= lost;
    }
  }
}

// The protocol

let game: Game | null = null;

/** Adds the lines of the answer to a call; or gives the reason why it is refused. */
function answered(call: string, lines: string[]): string {
  const blank = call.indexOf(" ");
  const verb = blank < 0 ? call : call.substring(0, blank);
  const rest = blank < 0 ? "" : call.substring(blank + 1);
  if (verb == "about") {
    lines.push(ABOUT.trimEnd());
    return "";
  }
  if (verb == "new") {
    const refused = Game.refuses(rest.split(" "));
    if (refused != "") return refused;
    game = new Game(rest.split(" "));
  }
  const current = game;
  if (current == null) return "no game has begun";
  let refused = "";
  if (verb == "happen") {
    refused = current.happen(rest, lines);
  } else if (verb == "play" || verb == "check") {
    refused = current.check(rest);
    if (refused == "" && verb == "check") {
      lines.push("ok");
      return "";
    }
    if (refused == "") current.play(rest, lines);
  } else if (verb != "new") {
    refused = "this call is not known";
  }
  if (refused == "") current.state(lines);
  return refused;
}

let callBytes = new ArrayBuffer(0);
let answerBytes = new ArrayBuffer(0);

/** The place for a call of this many bytes. */
export function room(bytes: i32): usize {
  callBytes = new ArrayBuffer(bytes);
  return changetype<usize>(callBytes);
}

/** Answers the call that was put there: the address of the answer, and its length in the lower half. */
export function answer(bytes: i32): u64 {
  const lines: string[] = [];
  const call = String.UTF8.decodeUnsafe(changetype<usize>(callBytes), bytes);
  const refused = answered(call, lines);
  const text = refused == "" ? lines.join("\n") : "refused " + refused;
  answerBytes = String.UTF8.encode(text + "\n");
  return ((<u64>changetype<usize>(answerBytes)) << 32) | (<u64>answerBytes.byteLength);
}
