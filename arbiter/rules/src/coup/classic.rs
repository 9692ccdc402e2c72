//! The classic dialect: it asks programs of the old contest, and reads their answers.
//!
//! # Theory of operation
//!
//! Such a program is called once for each decision, as `PROGRAM FILE ARGUMENTS…`. FILE holds the
//! game so far, with one or two bytes for each decision and a line for each turn; the program
//! appends its own decision. An exchange ends with a line end in FILE and the kept cards on
//! standard output.
//!
//! This is a translation and knows no rules. A [`ClassicCoupCall`] is made from the [`Request`] that any other
//! bot would get, so it cannot tell more: FILE is its history in other letters ([`file()`]), and
//! the last arguments are its legal moves in the order that old programs count on. An answer is
//! looked up among these, so that only exactly one of them can be appended. A lenient reading has one
//! exception, in a place with one legal text and no choice, so it can change no game.
//!
//! [`Request`]: crate::Request

use crate::answer::DetailedVerdict;
use crate::cause::Verdict;
use crate::coup::hand::{Character, Hand};
use crate::coup::notation::{Action, Event, Move, View};
use crate::dialect::{ClassicCall, Strictness};
use crate::game::{Entry, Game, Request};
use crate::text::EscapedBytes;

/// Most bytes of an output that an error quotes.
const QUOTED: usize = 32;

const LINE_END: &str = "\n";

/// Bytes that a lenient referee takes for it, in one place.
const HARMLESS: &[u8] = b"_\n";

/// One call of a program: what it is given, and what it may answer.
///
/// It is made of a request, so it tells no more than the request does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClassicCoupCall {
    /// Content of FILE before the call.
    pub file: String,
    /// The arguments after the name of FILE: the coins of the opponent, those of the caller, its
    /// cards, and what may be appended.
    pub arguments: Vec<String>,
    hand: Hand,
    legal: Vec<LegalReply>,
}

/// A text that may be appended, with its move.
#[derive(Debug, Clone, PartialEq, Eq)]
struct LegalReply {
    appended: String,
    meant: ReplyMeaning,
}

/// Meaning of an appended text.
#[derive(Debug, Clone, PartialEq, Eq)]
enum ReplyMeaning {
    /// This move.
    Move(Move),
    /// One of these: the cards on standard output say which.
    Choice(Vec<Hand>),
}

impl ClassicCoupCall {
    /// The call that asks what this request asks; `None` if it asks nothing of a seat of the game.
    pub fn new<G>(request: &Request<G>) -> Option<ClassicCoupCall>
    where
        G: Game<Move = Move, Event = Event, View = View>,
    {
        let (view, seat) = (&request.view, request.heading.seat);
        let by = if view.turn() == Some(seat) { DecidingSeat::Actor } else { DecidingSeat::Other };
        let coins = |own: bool| view.coins.iter().find(|(owner, _)| (*owner == seat) == own);
        let ((_, own), (_, other)) = coins(true).zip(coins(false))?;
        let history = request.history.iter().filter_map(|entry| match entry {
            Entry::Event(event) => Some(event),
            Entry::Out(..) => None,
        });
        let file = file(history);
        let legal = legal(&request.legal, view.hand, by, &file);
        let mut arguments = vec![other.to_string(), own.to_string(), cards(view.hand)];
        arguments.extend(legal.iter().map(|legal| legal.appended.clone()));
        let asked = !legal.is_empty();
        asked.then_some(ClassicCoupCall { file, arguments, hand: view.hand, legal })
    }

    /// The move that an answer means: what FILE holds after the call, and what was printed.
    ///
    /// # Errors
    ///
    /// [`UnreadableAnswer`], if FILE is not its old text and exactly one of what may be appended, or where an
    /// exchange is to end and the output is not a choice from the cards.
    pub fn read(
        &self,
        reading: Strictness,
        file: &[u8],
        output: &[u8],
    ) -> Result<Move, UnreadableAnswer> {
        let legal = || self.listed();
        let appended = file.strip_prefix(self.file.as_bytes());
        let appended = appended.ok_or_else(|| UnreadableAnswer::Changed { legal: legal() })?;
        if appended.is_empty() {
            return Err(UnreadableAnswer::Nothing { legal: legal() });
        }
        let meant = match reading {
            Strictness::Lenient if self.is_harmless(appended) => LINE_END.as_bytes(),
            Strictness::Strict | Strictness::Lenient => appended,
        };
        let found = self.legal.iter().find(|legal| legal.appended.as_bytes() == meant);
        match found.map(|found| &found.meant) {
            Some(ReplyMeaning::Move(mv)) => Ok(*mv),
            Some(ReplyMeaning::Choice(choices)) => self.read_choice(choices, output),
            None => Err(UnreadableAnswer::NotLegal { legal: legal(), found: quoted(appended) }),
        }
    }

    /// Returns true if this says no more than the line end that is the only legal text: what the
    /// winner of the contest appends after it has won a challenge to a block.
    fn is_harmless(&self, appended: &[u8]) -> bool {
        let legal: Vec<&str> = self.legal.iter().map(|legal| legal.appended.as_str()).collect();
        appended == HARMLESS && legal == [LINE_END] && is_won_from_block(&self.file)
    }

    fn read_choice(&self, choices: &[Hand], output: &[u8]) -> Result<Move, UnreadableAnswer> {
        // Ignored text is not quoted either: a log keeps outputs without their last line end, and
        // the same error must follow from it.
        let output = output.trim_ascii();
        let kept = read_cards(output).filter(|kept| choices.contains(kept));
        kept.map(Move::Keep).ok_or_else(|| UnreadableAnswer::NotCards {
            count: choices.first().map_or(0, Hand::len),
            cards: cards(self.hand),
            found: quoted(output),
        })
    }

    /// Legal texts, as an error names them.
    fn listed(&self) -> String {
        let mut listed: Vec<String> = Vec::new();
        for legal in &self.legal {
            let text = format!("`{}`", EscapedBytes(legal.appended.clone().into_bytes()));
            // Doubles in the hand are listed twice, but that helps no one here.
            if !listed.contains(&text) {
                listed.push(text);
            }
        }
        listed.join(" ")
    }
}

impl ClassicCall for ClassicCoupCall {
    fn file(&self) -> &str {
        &self.file
    }

    fn arguments(&self) -> &[String] {
        &self.arguments
    }

    fn read(
        &self,
        reading: Strictness,
        file: &[u8],
        output: &[u8],
    ) -> Result<String, DetailedVerdict> {
        let read = self.read(reading, file, output);
        read.map(|mv| mv.to_string()).map_err(|unread| DetailedVerdict {
            verdict: unread.verdict(),
            detail: unread.to_string(),
        })
    }
}

/// The legal moves as texts, in the order that old programs count on: many play the first.
fn legal(moves: &[Move], hand: Hand, by: DecidingSeat, file: &str) -> Vec<LegalReply> {
    let one = |mv: Move| LegalReply { appended: appended(mv, by), meant: ReplyMeaning::Move(mv) };
    let mut sorted = moves.to_vec();
    sorted.sort_by_key(|mv| place(*mv, by, file));
    let mut legal = Vec::new();
    let mut choices = Vec::new();
    for mv in sorted {
        match mv {
            Move::Keep(cards) => choices.push(cards),
            Move::Lose(_) => {}
            _ => legal.push(one(mv)),
        }
    }
    // Cards to give up come last, in the order of the hand and each as often as it is there.
    let lost = hand.into_iter().map(Move::Lose).filter(|mv| moves.contains(mv));
    legal.extend(lost.map(one));
    if let Some(first) = choices.first() {
        let appended = appended(Move::Keep(*first), by);
        legal.push(LegalReply { appended, meant: ReplyMeaning::Choice(choices) });
    }
    legal
}

/// The place of a move in the order of the dialect.
fn place(mv: Move, by: DecidingSeat, file: &str) -> u8 {
    match mv {
        Move::Act(Action::Income) => 0,
        Move::Act(Action::ForeignAid) => 1,
        Move::Act(Action::Exchange) => 2,
        // The very first list has its last two the other way round.
        Move::Act(Action::Steal(_)) if file.is_empty() => 3,
        Move::Act(Action::Tax) => 4,
        Move::Act(Action::Assassinate(_)) => 5,
        Move::Act(Action::Coup(_)) => 6,
        Move::Act(Action::Steal(_)) => 7,
        Move::Block(Character::Ambassador) => 8,
        Move::Block(_) => 9,
        Move::Pass if by == DecidingSeat::Actor => 12,
        Move::Pass => 10,
        Move::Challenge => 11,
        Move::Show(_) | Move::Lose(_) | Move::Keep(_) | Move::End => 13,
    }
}

/// Bytes from a program in one line, cut where they are many.
fn quoted(bytes: &[u8]) -> String {
    match bytes.get(..QUOTED) {
        Some(start) if bytes.len() > QUOTED => format!("{}…", EscapedBytes(start.to_vec())),
        _ => EscapedBytes(bytes.to_vec()).to_string(),
    }
}

/// Reason why an answer is not a move; the text says what was expected, in one line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages tell the fields")]
pub enum UnreadableAnswer {
    /// FILE is as it was.
    #[error("nothing was appended to the file: expected exactly one of {legal}")]
    Nothing { legal: String },
    /// FILE does not begin with what it was.
    #[error("the file was changed: expected its old text and exactly one of {legal}")]
    Changed { legal: String },
    /// Something else was appended.
    #[error("expected exactly one of {legal} appended to the file, found `{found}`")]
    NotLegal { legal: String, found: String },
    /// Standard output is not a choice from the cards.
    #[error("expected {count} of the cards `{cards}` on standard output, found `{found}`")]
    NotCards { count: usize, cards: String, found: String },
}

impl UnreadableAnswer {
    /// The verdict that a referee gives for it.
    pub fn verdict(&self) -> Verdict {
        match self {
            UnreadableAnswer::Nothing { .. } => Verdict::NoAnswer,
            UnreadableAnswer::Changed { .. } => Verdict::Malformed,
            UnreadableAnswer::NotLegal { .. } | UnreadableAnswer::NotCards { .. } => {
                Verdict::Illegal
            }
        }
    }
}

/// A card as it is written in FILE when its owner gives it up.
fn lost_letter(character: Character) -> char {
    match character {
        Character::Ambassador => '_',
        Character::Assassin => '\'',
        Character::Captain => '<',
        Character::Contessa => '=',
        Character::Duke => '0',
    }
}

/// A card as it is written where its owner shows or sees it.
fn letter(character: Character) -> char {
    match character {
        Character::Ambassador => '~',
        Character::Assassin => '^',
        Character::Captain => '*',
        Character::Contessa => '!',
        Character::Duke => '$',
    }
}

/// A block as it is written in FILE. Nothing is blocked with an assassin, which has no letter.
fn block(character: Character) -> Option<char> {
    match character {
        Character::Ambassador => Some('a'),
        Character::Assassin => None,
        Character::Captain => Some('c'),
        Character::Contessa => Some('s'),
        Character::Duke => Some('d'),
    }
}

fn action(action: Action) -> char {
    match action {
        Action::Income => 'I',
        Action::ForeignAid => 'F',
        Action::Coup(_) => 'C',
        Action::Exchange => 'E',
        Action::Tax => 'T',
        Action::Assassinate(_) => 'A',
        Action::Steal(_) => 'S',
    }
}

/// Returns true if a byte of FILE is a block.
fn is_block(byte: u8) -> bool {
    Character::ALL.into_iter().filter_map(block).any(|letter| letter == char::from(byte))
}

/// Returns true if a byte of FILE is a card that was given up.
fn is_lost(byte: u8) -> bool {
    Character::ALL.into_iter().map(lost_letter).any(|letter| letter == char::from(byte))
}

/// Cards as an argument or on standard output.
pub(super) fn cards(hand: Hand) -> String {
    hand.into_iter().map(letter).collect()
}

/// Cards from standard output, for any hand; `None` if it is not a text of cards, or of more than a
/// hand can hold.
fn read_cards(text: &[u8]) -> Option<Hand> {
    let card = |byte: &u8| {
        Character::ALL.into_iter().find(|character| letter(*character) == char::from(*byte))
    };
    Hand::new(&text.iter().map(card).collect::<Option<Vec<Character>>>()?)
}

/// The seat that made the decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DecidingSeat {
    /// The seat whose turn it is: its last decision ends the line.
    Actor,
    /// The other seat.
    Other,
}

/// Text appended to FILE for a move; nothing for a move that no rules let happen.
pub(super) fn appended(mv: Move, by: DecidingSeat) -> String {
    match (mv, by) {
        (Move::Act(Action::Income), _) => "I\n".to_owned(),
        (Move::Act(act), _) => action(act).to_string(),
        (Move::Pass, DecidingSeat::Other) => "p".to_owned(),
        (Move::Challenge, _) => "q".to_owned(),
        (Move::Block(character), _) => block(character).map(String::from).unwrap_or_default(),
        (Move::Show(character), _) => letter(character).to_string(),
        (Move::Lose(character), DecidingSeat::Other) => lost_letter(character).to_string(),
        (Move::Lose(character), DecidingSeat::Actor) => format!("{}\n", lost_letter(character)),
        (Move::Pass, DecidingSeat::Actor) | (Move::Keep(_) | Move::End, _) => "\n".to_owned(),
    }
}

/// Returns true if FILE ends with a block whose challenge has cost the other seat a card.
fn is_won_from_block(file: &str) -> bool {
    let line = file.rsplit('\n').next().unwrap_or_default();
    matches!(line.as_bytes(), [_, block, b'q', card] if is_block(*block) && is_lost(*card))
}

/// Content of FILE after these events, as seen by any seat: it holds no secret.
///
/// ```
/// use rules::coup::{Event, classic};
///
/// let history = ["deal 0 ?? ??", "0 foreign-aid", "1 block duke", "0 challenge", "1 show duke"];
/// let history: Vec<Event> = history.iter().map(|line| line.parse()).collect::<Result<_, _>>()?;
/// assert_eq!(classic::file(&history), "Fdq$");
/// # Ok::<(), rules::NotText>(())
/// ```
pub fn file<'a>(history: impl IntoIterator<Item = &'a Event>) -> String {
    let mut file = String::new();
    let mut actor = None;
    for event in history {
        match *event {
            Event::Move { seat, mv } => {
                if let Move::Act(_) = mv {
                    actor = Some(seat);
                }
                let by =
                    if actor == Some(seat) { DecidingSeat::Actor } else { DecidingSeat::Other };
                file.push_str(&appended(mv, by));
            }
            Event::KeepUnseen { .. } => file.push('\n'),
            Event::Deal { .. } | Event::Draw { .. } | Event::Lost { .. } | Event::Winner(_) => {}
        }
    }
    file
}
