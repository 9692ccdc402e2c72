//! One call of a program of the classic dialect, and how its answer is read.

use crate::answer::Ruling;
use crate::coup::classic::letters::{By, appended, cards, file, is_won_from_block, read_cards};
use crate::coup::game::Coup;
use crate::coup::hand::{Character, Hand};
use crate::coup::moves::{Action, Move};
use crate::dialect::{ClassicCall, Reading};
use crate::game::Request;
use crate::history::Entry;
use crate::text::Escaped;
use crate::verdict::Verdict;

/// Most bytes of an output that an error quotes.
const QUOTED: usize = 32;

const LINE_END: &str = "\n";

/// Bytes that a lenient referee takes for it, in one place.
const HARMLESS: &[u8] = b"_\n";

/// One call of a program: what it is given, and what it may answer.
///
/// It is made of a request, so it tells no more than the request does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    file: String,
    arguments: Vec<String>,
    hand: Hand,
    legal: Vec<Legal>,
}

/// A text that may be appended, with its move.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Legal {
    appended: String,
    meant: Meant,
}

/// Meaning of an appended text.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Meant {
    /// This move.
    Move(Move),
    /// One of these: the cards on standard output say which.
    Choice(Vec<Hand>),
}

impl Call {
    /// The call that asks what this request asks; `None` if it asks nothing of a seat of the game.
    pub fn new(request: &Request<Coup>) -> Option<Call> {
        let (view, seat) = (&request.view, request.heading.seat);
        let by = if view.turn() == Some(seat) { By::Actor } else { By::Other };
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
        asked.then_some(Call { file, arguments, hand: view.hand, legal })
    }

    /// Content of FILE before the call.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// The arguments after the name of FILE: the coins of the opponent, those of the caller, its
    /// cards, and what may be appended.
    pub fn arguments(&self) -> &[String] {
        &self.arguments
    }

    /// The move that an answer means: what FILE holds after the call, and what was printed.
    ///
    /// # Errors
    ///
    /// [`Unread`], if FILE is not its old text and exactly one of what may be appended, or where an
    /// exchange is to end and the output is not a choice from the cards.
    pub fn read(&self, reading: Reading, file: &[u8], output: &[u8]) -> Result<Move, Unread> {
        let legal = || self.listed();
        let appended = file.strip_prefix(self.file.as_bytes());
        let appended = appended.ok_or_else(|| Unread::Changed { legal: legal() })?;
        if appended.is_empty() {
            return Err(Unread::Nothing { legal: legal() });
        }
        let meant = match reading {
            Reading::Lenient if self.is_harmless(appended) => LINE_END.as_bytes(),
            Reading::Strict | Reading::Lenient => appended,
        };
        let found = self.legal.iter().find(|legal| legal.appended.as_bytes() == meant);
        match found.map(|found| &found.meant) {
            Some(Meant::Move(mv)) => Ok(*mv),
            Some(Meant::Choice(choices)) => self.read_choice(choices, output),
            None => Err(Unread::NotLegal { legal: legal(), found: quoted(appended) }),
        }
    }

    /// Returns true if this says no more than the line end that is the only legal text: what the
    /// winner of the contest appends after it has won a challenge to a block.
    fn is_harmless(&self, appended: &[u8]) -> bool {
        let legal: Vec<&str> = self.legal.iter().map(|legal| legal.appended.as_str()).collect();
        appended == HARMLESS && legal == [LINE_END] && is_won_from_block(&self.file)
    }

    fn read_choice(&self, choices: &[Hand], output: &[u8]) -> Result<Move, Unread> {
        // Ignored text is not quoted either: a log keeps outputs without their last line end, and
        // the same error must follow from it.
        let output = output.trim_ascii();
        let kept = read_cards(output).filter(|kept| choices.contains(kept));
        kept.map(Move::Keep).ok_or_else(|| Unread::NotCards {
            count: choices.first().map_or(0, Hand::len),
            cards: cards(self.hand),
            found: quoted(output),
        })
    }

    /// Legal texts, as an error names them.
    fn listed(&self) -> String {
        let mut listed: Vec<String> = Vec::new();
        for legal in &self.legal {
            let text = format!("`{}`", Escaped(legal.appended.clone().into_bytes()));
            // Doubles in the hand are listed twice, but that helps no one here.
            if !listed.contains(&text) {
                listed.push(text);
            }
        }
        listed.join(" ")
    }
}

impl ClassicCall for Call {
    fn file(&self) -> &str {
        self.file()
    }

    fn arguments(&self) -> &[String] {
        self.arguments()
    }

    fn read(&self, reading: Reading, file: &[u8], output: &[u8]) -> Result<String, Ruling> {
        let read = self.read(reading, file, output);
        read.map(|mv| mv.to_string())
            .map_err(|unread| Ruling { verdict: unread.verdict(), detail: unread.to_string() })
    }
}

/// The legal moves as texts, in the order that old programs count on: many play the first.
fn legal(moves: &[Move], hand: Hand, by: By, file: &str) -> Vec<Legal> {
    let one = |mv: Move| Legal { appended: appended(mv, by), meant: Meant::Move(mv) };
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
        legal.push(Legal { appended, meant: Meant::Choice(choices) });
    }
    legal
}

/// The place of a move in the order of the dialect.
fn place(mv: Move, by: By, file: &str) -> u8 {
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
        Move::Pass if by == By::Actor => 12,
        Move::Pass => 10,
        Move::Challenge => 11,
        Move::Show(_) | Move::Lose(_) | Move::Keep(_) | Move::End => 13,
    }
}

/// Bytes from a program in one line, cut where they are many.
fn quoted(bytes: &[u8]) -> String {
    match bytes.get(..QUOTED) {
        Some(start) if bytes.len() > QUOTED => format!("{}…", Escaped(start.to_vec())),
        _ => Escaped(bytes.to_vec()).to_string(),
    }
}

/// Reason why an answer is not a move; the text says what was expected, in one line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages tell the fields")]
pub enum Unread {
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

impl Unread {
    /// The verdict that a referee gives for it.
    pub fn verdict(&self) -> Verdict {
        match self {
            Unread::Nothing { .. } => Verdict::NoAnswer,
            Unread::Changed { .. } => Verdict::Malformed,
            Unread::NotLegal { .. } | Unread::NotCards { .. } => Verdict::Illegal,
        }
    }
}
