//! A question to a seat: the prompt that its bot gets, and the ruling on the answer.

use std::cell::OnceCell;

use ::text::printable;

use super::{Referee, Terms};
use crate::clock::{Allowed, Bank, Clock, Elapsed};
use crate::dialect::{ClassicCall, Dialect, Reading};
use crate::digest::Digest;
use crate::game::Listing;
use crate::record::{AnswerRecord, ClassicReply, Input};
use crate::ruling::{Answer, Ruling, kept};
use crate::score::Score;
use crate::seat::Seat;
use crate::text::Escaped;
use crate::verdict::Verdict;
use crate::wire::{Heading, Retry};

/// A question to one seat.
pub struct Question<'a> {
    referee: &'a mut Referee,
    seat: Seat,
    /// The prompt, made on demand: the list of legal moves may be long.
    prompt: OnceCell<Prompt>,
    digest: OnceCell<Digest>,
}

/// A prompt for a seat, in its dialect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Prompt {
    /// A request, in full.
    Request(String),
    /// A file and arguments.
    Classic {
        /// Content of the file.
        file: String,
        /// The arguments after the name of the file.
        arguments: Vec<String>,
    },
}

impl Prompt {
    /// The exact bytes that are sent; the log keeps their digest.
    ///
    /// In the classic dialect these are the arguments, with blanks between them, a line feed, and
    /// the content of the file.
    pub fn bytes(&self) -> Vec<u8> {
        match self {
            Prompt::Request(text) => text.clone().into_bytes(),
            Prompt::Classic { file, arguments } => {
                format!("{}\n{file}", arguments.join(" ")).into_bytes()
            }
        }
    }

    /// The digest of these bytes.
    pub fn digest(&self) -> Digest {
        match self {
            Prompt::Request(text) => Digest::hash(text.as_bytes()),
            Prompt::Classic { .. } => Digest::hash(&self.bytes()),
        }
    }

    /// The prompt of a call in the classic dialect.
    pub(crate) fn classic(call: &dyn ClassicCall) -> Prompt {
        Prompt::Classic { file: call.file().to_owned(), arguments: call.arguments().to_vec() }
    }
}

/// An answer that was looked at but not given.
#[derive(Debug, Clone, PartialEq)]
pub struct JudgedAnswer {
    /// The reply as a log would keep it.
    pub reply: Escaped,
    /// Rest of the reply in the classic dialect.
    pub classic: Option<ClassicReply>,
    /// Ruling on the answer.
    pub ruling: Ruling,
}

impl<'a> Question<'a> {
    pub(super) fn new(referee: &'a mut Referee, seat: Seat) -> Question<'a> {
        Question { referee, seat, prompt: OnceCell::new(), digest: OnceCell::new() }
    }

    /// The seat that is asked.
    pub fn seat(&self) -> Seat {
        self.seat
    }

    /// Number of moves made before, from 0, those of the house and forced ones included:
    /// without them, the number would reveal which moves someone was asked for.
    pub fn number(&self) -> u32 {
        self.referee.moves
    }

    /// The exact text that a bot of the native dialect is sent.
    pub fn request(&self) -> String {
        self.referee.table.request(self.heading())
    }

    /// The prompt for the bot, in its dialect.
    pub fn prompt(&self) -> &Prompt {
        self.prompt.get_or_init(|| match self.classic() {
            None => Prompt::Request(self.request()),
            Some((call, _)) => Prompt::classic(&*call),
        })
    }

    /// The digest of [what is sent](Prompt::bytes).
    pub fn digest(&self) -> Digest {
        *self.digest.get_or_init(|| self.prompt().digest())
    }

    /// Number of the chance: 0 for the first, then 1 for the first second chance.
    pub fn retry(&self) -> u32 {
        self.referee.retry.as_ref().map_or(0, |retry| retry.number)
    }

    /// The time for the answer.
    pub fn allowed(&self) -> Allowed {
        self.referee.clocks[self.seat].allowed()
    }

    /// The clock of the seat, if it has one.
    pub fn bank(&self) -> Option<Bank> {
        self.referee.bank(self.seat)
    }

    /// As [`judge_after`](Question::judge_after), for an answer that took no time.
    pub fn judge(&self, answer: Answer) -> JudgedAnswer {
        self.judge_after(answer, Elapsed::default())
    }

    /// Rules on an answer that took this long, without giving it.
    pub fn judge_after(&self, answer: Answer, elapsed: Elapsed) -> JudgedAnswer {
        let answer = self.allowed().judge(answer, elapsed);
        let check = |line: &str| self.referee.table.check(line);
        match self.classic() {
            None => {
                let (output, ruling) = Ruling::judge(answer, check);
                JudgedAnswer { reply: kept(output), classic: None, ruling }
            }
            Some((call, reading)) => {
                let (reply, classic, ruling) = Ruling::of_classic(&*call, reading, answer, check);
                JudgedAnswer { reply, classic, ruling }
            }
        }
    }

    fn heading(&self) -> Heading {
        let number = self.number();
        let Terms { id, bot_seeds, .. } = &self.referee.terms;
        Heading {
            id: *id,
            seat: self.seat,
            number,
            time: self.allowed().ms(),
            bank: self.referee.bank(self.seat),
            seed: bot_seeds.seed(self.seat, number),
            retry: self.referee.retry.clone(),
        }
    }

    /// The call of a seat of the classic dialect, and how its answer is read.
    fn classic(&self) -> Option<(Box<dyn ClassicCall>, Reading)> {
        match self.referee.terms.dialects[self.seat] {
            Dialect::Native => None,
            Dialect::Classic(reading) => {
                Some((self.referee.table.classic(self.heading())?, reading))
            }
        }
    }

    /// The points that the seat has so far.
    pub fn points(&self) -> Score {
        self.referee.table.points_so_far(self.seat)
    }

    /// The legal moves, in canonical order, and whether these are all.
    pub fn legal_moves(&self) -> (Vec<String>, Listing) {
        self.referee.table.legal_moves()
    }

    /// As [`answer_after`](Question::answer_after), for an answer that took no time.
    pub fn answer(self, answer: Answer) -> Ruling {
        self.answer_after(answer, Elapsed::default())
    }

    /// Takes the answer, which took this long, and judges it.
    ///
    /// While a seat has chances left, an illegal or malformed answer costs one, and the next step
    /// asks again.
    pub fn answer_after(self, answer: Answer, elapsed: Elapsed) -> Ruling {
        let answer = self.allowed().judge(answer, elapsed);
        let call = self.classic();
        let asked = self.digest();
        let Question { referee, seat, .. } = self;
        let (reply, classic, ruling) = match call {
            None => {
                let (output, ruling) = Ruling::judge(answer, |line| referee.table.play(line));
                (kept(output), None, ruling)
            }
            Some((call, reading)) => {
                Ruling::of_classic(&*call, reading, answer, |line| referee.table.play(line))
            }
        };
        referee.inputs.push(Input::Answer(AnswerRecord {
            seat,
            asked,
            reply,
            classic,
            verdict: ruling.verdict,
            detail: ruling.detail.clone(),
        }));
        if referee.clocks.values().iter().any(Clock::runs) {
            referee.elapsed.push(elapsed);
        }
        referee.clocks[seat].answered(elapsed, ruling.verdict == Verdict::Ok);
        let tried = referee.retry.take().map_or(0, |retry| retry.number);
        match ruling.verdict {
            Verdict::Ok => referee.moves = referee.moves.saturating_add(1),
            Verdict::Void => referee.void(ruling.detail.clone()),
            Verdict::Illegal | Verdict::Malformed if tried < referee.terms.retries => {
                let reason = printable(&ruling.detail);
                referee.retry = Some(Retry { number: tried + 1, reason });
            }
            fault => referee.rule_out(seat, fault),
        }
        ruling
    }
}
