//! The referee: one game as a state machine without input or output.
//!
//! [`Referee::step`] says what is needed next, and hands out the only means to supply it. A live
//! match, a replay of a log, a test with scripted answers and a fuzzer all drive the same machine;
//! they differ in where chance and answers come from.

use std::cell::OnceCell;

use ::text::printable;

use crate::answer::{Answer, DetailedVerdict, Refusal, line};
use crate::cause::{FailureCause, Verdict, VoidCause};
use crate::clock::{AnswerTimeLimit, Clock, ClockState, ElapsedTime};
use crate::dialect::{ClassicCall, Dialect, Prompt, Strictness};
use crate::dyn_rules::RestartPolicy;
use crate::game::{
    GameTerms, HistoryLine, ImpossibleChance, ListCompleteness, RequestHeading, RetryNotice, Turn,
};
use crate::kind::GameKind;
use crate::record::{
    AnswerRecord, ClassicReply, FileChange, GamePlace, GameRecord, Measurements, Outcome,
    RefereeInput, logged_output,
};
use crate::seat::{PerSeat, Score, Seat};
use crate::seed::{Digest, Nature};
use crate::table::Table;
use crate::text::{EscapedBytes, NotText};

/// One game under a referee.
pub struct Referee {
    table: Box<dyn Table>,
    terms: GameTerms,
    out: PerSeat<Option<Verdict>>,
    /// Number of moves made, those of the house and forced ones included.
    moves: u32,
    /// The second chance that the seat to be asked has now.
    retry: Option<RetryNotice>,
    inputs: Vec<RefereeInput>,
    /// What could have been drawn, for each draw of a custom game.
    pools: Vec<String>,
    /// The time that each seat has left.
    clocks: PerSeat<Clock>,
    /// How long each answer took, if a clock counts that.
    elapsed: Vec<ElapsedTime>,
    outcome: Option<Outcome>,
}

/// Next need of the referee.
pub enum Step<'a> {
    /// Nature must decide.
    Nature(PendingChance<'a>),
    /// A seat must be asked.
    Ask(Question<'a>),
    /// The house played for a seat that is out, or the rules left one move only; nothing is
    /// needed, step again.
    Moved,
    /// The game is over.
    Over(&'a Outcome),
}

/// A decision that nature owes.
pub struct PendingChance<'a>(&'a mut Referee);

impl Referee {
    /// A new game. Rules that are not compiled in and are ended in it make it void.
    ///
    /// # Errors
    ///
    /// Says what is wrong with the options, that there is not a time and a dialect for each seat,
    /// or that the game does not have such a dialect.
    pub fn new(kind: &GameKind, options: &str, terms: GameTerms) -> Result<Self, NotText> {
        Referee::with(kind, options, terms, RestartPolicy::Never)
    }

    /// Likewise with this treatment of rules that are ended.
    ///
    /// # Errors
    ///
    /// Likewise.
    pub fn with(
        kind: &GameKind,
        options: &str,
        terms: GameTerms,
        renewal: RestartPolicy,
    ) -> Result<Self, NotText> {
        let table = kind.rules().open(options, renewal)?;
        if terms.times.count() != table.seats() {
            let expected = format!("a time for each of {} seats", table.seats());
            return Err(NotText::new(expected, &terms.times.count().to_string()));
        }
        if terms.dialects.count() != table.seats() {
            let expected = format!("a dialect for each of {} seats", table.seats());
            return Err(NotText::new(expected, &terms.dialects.count().to_string()));
        }
        let known = kind.dialects_with(options);
        if let Some((_, unknown)) =
            terms.dialects.iter().find(|(_, dialect)| !known.contains(dialect))
        {
            let with = match kind.dialects().contains(unknown) {
                true => format!(" with {options}"),
                false => String::new(),
            };
            return Err(NotText::new(format!("a dialect that {kind} has{with}"), unknown.name()));
        }
        let out = PerSeat::new(table.seats(), |_| None);
        let clocks = terms.times.map(|_, time| Clock::new(*time));
        Ok(Referee {
            table,
            terms,
            out,
            moves: 0,
            retry: None,
            inputs: Vec::new(),
            pools: Vec::new(),
            clocks,
            elapsed: Vec::new(),
            outcome: None,
        })
    }

    /// Number of seats.
    pub fn seats(&self) -> usize {
        self.table.seats()
    }

    /// Returns true if a seat has lost its right to move, and is asked no more.
    pub fn is_out(&self, seat: Seat) -> bool {
        self.out[seat].is_some()
    }

    /// Everything that came from outside so far.
    pub fn inputs(&self) -> &[RefereeInput] {
        &self.inputs
    }

    /// What could have been drawn, for each draw so far of a custom game.
    pub fn pools(&self) -> &[String] {
        &self.pools
    }

    /// What the clock of a seat shows, if it has one.
    pub fn bank(&self, seat: Seat) -> Option<ClockState> {
        self.clocks[seat].bank()
    }

    /// How long each answer so far took; nothing in a game without clocks.
    pub fn elapsed(&self) -> &[ElapsedTime] {
        &self.elapsed
    }

    /// Number of lines that the history has so far.
    pub fn history_len(&self) -> usize {
        self.table.history_len()
    }

    /// The lines of the history from one on, as the referee sees them.
    pub fn history(&self, from: usize) -> Vec<String> {
        self.table.history(from)
    }

    /// The history as one seat saw it: secrets of others are left out or covered.
    pub fn history_of(&self, seat: Seat, from: usize) -> Vec<String> {
        self.table.history_of(seat, from)
    }

    /// The history as running text for people, as one seat saw it; see
    /// [`narrate`](Referee::narrate).
    pub fn narrate_to(&self, seat: Seat, from: usize, names: &PerSeat<String>) -> String {
        self.table.narrate_to(seat, from, names)
    }

    /// The lines of the history, each with the form that every seat saw.
    pub fn history_lines(&self, from: usize) -> Vec<HistoryLine> {
        self.table.history_lines(from)
    }

    /// The lines of the view that a seat has now, as a request would show them; for watchers and
    /// readers, never for a bot.
    pub fn view(&self, seat: Seat) -> String {
        self.table.view(seat)
    }

    /// The lines of a view that all seats have alike; they tell nothing that a seat may not know.
    pub fn public_view(&self) -> String {
        self.table.public_view()
    }

    /// The points that each seat has so far, which all seats know; see
    /// [`Game::points_so_far`](crate::Game::points_so_far).
    pub fn points_so_far(&self) -> PerSeat<Score> {
        PerSeat::new(self.seats(), |seat| self.table.points_so_far(seat))
    }

    /// Number of moves made so far, those of the house and forced ones included.
    pub fn moves(&self) -> u32 {
        self.moves
    }

    /// The history from a line on as running text for people, with the players' names by seat.
    ///
    /// To be called before the next step, while the state is the one after these lines. A fault
    /// is told with the output and the broken rule.
    pub fn narrate(&self, from: usize, names: &PerSeat<String>) -> String {
        let mut text = self.table.narrate(from, names);
        if let Some(RefereeInput::Answer(answer)) = self.inputs.last()
            && self.table.has_out_line(from)
        {
            let AnswerRecord { reply, detail, .. } = answer;
            // The detail may come from a log that anyone wrote.
            let detail = printable(detail);
            let printed = match reply.0.is_empty() {
                true => "nothing".to_owned(),
                false => format!("`{reply}`"),
            };
            text.push_str(&format!("  printed {printed}: {detail}\n"));
        }
        text
    }

    /// The text of the move that was played last, by any seat, in its one spelling.
    pub fn last_move(&self) -> Option<String> {
        self.table.last_move()
    }

    /// Goes on by one step, or says what is needed to.
    pub fn step(&mut self) -> Step<'_> {
        if let Some(fault) = self.table.fault() {
            let reason = fault.to_string();
            self.outcome.get_or_insert(Outcome::Void { reason });
        }
        if self.outcome.is_some() {
            return self.over();
        }
        match self.table.turn() {
            Turn::Over(scores) => {
                let scores = scores.map(|seat, score| match self.out[seat] {
                    Some(_) => Score::ZERO,
                    None => *score,
                });
                self.outcome = Some(Outcome::Played { scores, out: self.out.clone() });
                self.over()
            }
            // The seat before may have left the game and one contender behind.
            Turn::Nature | Turn::Seat(_) if self.end_without_contest() => self.over(),
            Turn::Nature => Step::Nature(PendingChance(self)),
            Turn::Seat(seat) if !self.is_asked_all(seat) && self.table.play_forced() => {
                self.moved()
            }
            // The next step reports it. A seat whose forced move meets a fault of the rules is asked, as in old logs.
            Turn::Seat(_) if matches!(self.table.fault(), Some(VoidCause::RulesEnded(_))) => {
                Step::Moved
            }
            Turn::Seat(seat) if self.out[seat].is_none() => Step::Ask(Question::new(self, seat)),
            Turn::Seat(_) if self.table.play_fallback() => self.moved(),
            // The next step reports it.
            Turn::Seat(_) if self.table.fault().is_some() => Step::Moved,
            Turn::Seat(seat) => {
                self.void(format!("the game has no move for seat {seat}, which is out"));
                self.over()
            }
        }
    }

    /// Returns true if a seat is asked even where the rules leave one move only: old programs count
    /// on it.
    fn is_asked_all(&self, seat: Seat) -> bool {
        matches!(self.terms.dialects[seat], Dialect::Classic(_)) && self.out[seat].is_none()
    }

    fn moved(&mut self) -> Step<'_> {
        self.moves = self.moves.saturating_add(1);
        Step::Moved
    }

    fn over(&mut self) -> Step<'_> {
        let reason = "the game ended without a result";
        Step::Over(self.outcome.get_or_insert_with(|| Outcome::Void { reason: reason.into() }))
    }

    fn void(&mut self, reason: String) {
        self.outcome = Some(Outcome::Void { reason });
    }

    /// Puts a seat out, and ends the game where one contender is left.
    fn rule_out(&mut self, seat: Seat, verdict: Verdict) {
        self.out[seat] = Some(verdict);
        self.table.rule_out(seat, verdict);
        self.end_without_contest();
    }

    /// Ends the game where a seat is out and no more than one of the others still contends.
    fn end_without_contest(&mut self) -> bool {
        let others = || self.out.iter().filter(|(_, fault)| fault.is_none());
        let contenders = others().filter(|(seat, _)| self.table.contends(*seat)).count();
        let is_over = contenders <= 1 && others().count() < self.out.count();
        if is_over {
            let scores = self.out.map(|seat, fault| match fault {
                Some(_) => Score::ZERO,
                None => self.table.walkover(seat),
            });
            self.outcome = Some(Outcome::Walkover { scores, out: self.out.clone() });
        }
        is_over
    }
}

impl PendingChance<'_> {
    /// Draws the decision from a stream of chance.
    pub fn draw(self, nature: &mut Nature) {
        let PendingChance(referee) = self;
        let Some(chance) = referee.table.sample(nature) else {
            return referee.void("nature was asked out of turn".into());
        };
        if let Err(impossible) = PendingChance(referee).happen(&chance)
            && referee.table.fault().is_none()
        {
            referee.void(format!("nature decided what cannot be: {impossible}"));
        }
    }

    /// Takes the decision from elsewhere, as from a log. One that cannot be changes nothing.
    pub fn happen(self, chance: &str) -> Result<(), ImpossibleChance> {
        let pool = self.0.table.pool();
        self.0.table.happen(chance)?;
        self.0.pools.extend(pool);
        self.0.inputs.push(RefereeInput::Chance(chance.to_owned()));
        Ok(())
    }

    /// What nature can decide, where a log keeps it.
    pub fn pool(&self) -> Option<String> {
        self.0.table.pool()
    }

    /// Draws from a stream of chance, without letting it happen.
    pub fn sample(&self, nature: &mut Nature) -> Option<String> {
        self.0.table.sample(nature)
    }
}

/// A question to one seat.
pub struct Question<'a> {
    referee: &'a mut Referee,
    seat: Seat,
    /// The prompt, made on demand: the list of legal moves may be long.
    prompt: OnceCell<Prompt>,
    digest: OnceCell<Digest>,
}

/// An answer that was looked at but not given.
#[derive(Debug, Clone, PartialEq)]
pub struct JudgedAnswer {
    /// The reply as a log would keep it.
    pub reply: EscapedBytes,
    /// Rest of the reply in the classic dialect.
    pub classic: Option<ClassicReply>,
    /// Ruling on the answer.
    pub ruling: DetailedVerdict,
}

impl<'a> Question<'a> {
    fn new(referee: &'a mut Referee, seat: Seat) -> Question<'a> {
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
    pub fn allowed(&self) -> AnswerTimeLimit {
        self.referee.clocks[self.seat].allowed()
    }

    /// The clock of the seat, if it has one.
    pub fn bank(&self) -> Option<ClockState> {
        self.referee.bank(self.seat)
    }

    /// As [`judge_after`](Question::judge_after), for an answer that took no time.
    pub fn judge(&self, answer: Answer) -> JudgedAnswer {
        self.judge_after(answer, ElapsedTime::default())
    }

    /// Rules on an answer that took this long, without giving it.
    pub fn judge_after(&self, answer: Answer, elapsed: ElapsedTime) -> JudgedAnswer {
        let answer = self.allowed().judge(answer, elapsed);
        let check = |line: &str| self.referee.table.check(line);
        match self.classic() {
            None => {
                let (output, ruling) = DetailedVerdict::judge(answer, check);
                JudgedAnswer { reply: logged_output(output), classic: None, ruling }
            }
            Some((call, reading)) => {
                let (reply, classic, ruling) =
                    DetailedVerdict::of_classic(&*call, reading, answer, check);
                JudgedAnswer { reply, classic, ruling }
            }
        }
    }

    fn heading(&self) -> RequestHeading {
        let number = self.number();
        let GameTerms { id, bot_seeds, .. } = &self.referee.terms;
        RequestHeading {
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
    fn classic(&self) -> Option<(Box<dyn ClassicCall>, Strictness)> {
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
    pub fn legal_moves(&self) -> (Vec<String>, ListCompleteness) {
        self.referee.table.legal_moves()
    }

    /// As [`answer_after`](Question::answer_after), for an answer that took no time.
    pub fn answer(self, answer: Answer) -> DetailedVerdict {
        self.answer_after(answer, ElapsedTime::default())
    }

    /// Takes the answer, which took this long, and judges it.
    ///
    /// While a seat has chances left, an illegal or malformed answer costs one, and the next step
    /// asks again.
    pub fn answer_after(self, answer: Answer, elapsed: ElapsedTime) -> DetailedVerdict {
        let answer = self.allowed().judge(answer, elapsed);
        let call = self.classic();
        let asked = self.digest();
        let Question { referee, seat, .. } = self;
        let (reply, classic, ruling) = match call {
            None => {
                let (output, ruling) =
                    DetailedVerdict::judge(answer, |line| referee.table.play(line));
                (logged_output(output), None, ruling)
            }
            Some((call, reading)) => DetailedVerdict::of_classic(&*call, reading, answer, |line| {
                referee.table.play(line)
            }),
        };
        referee.inputs.push(RefereeInput::Answer(AnswerRecord {
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
                referee.retry = Some(RetryNotice { number: tried + 1, reason });
            }
            fault => referee.rule_out(seat, fault),
        }
        ruling
    }
}

impl GameRecord {
    /// The record of a game that a referee has led to this result, with what was measured of each answer.
    pub fn new(
        referee: &Referee,
        GamePlace { game, attempt, deal }: GamePlace,
        seats: Vec<String>,
        result: Outcome,
        measured: Vec<Measurements>,
    ) -> GameRecord {
        let GameTerms { id, bot_seeds, .. } = &referee.terms;
        GameRecord {
            game,
            attempt,
            deal,
            id: *id,
            seats,
            bot_seeds: bot_seeds.clone(),
            inputs: referee.inputs().to_vec(),
            events: referee.history(0),
            pools: referee.pools().to_vec(),
            result,
            measured,
            machine: None,
        }
    }
}

impl DetailedVerdict {
    /// Judges an answer by playing its line, and returns the bytes that came with it.
    pub(crate) fn judge(
        answer: Answer,
        play: impl FnOnce(&str) -> Result<(), Refusal>,
    ) -> (Vec<u8>, DetailedVerdict) {
        match answer {
            Answer::Output(output) | Answer::Classic { output, .. } => {
                let played = line(&output).and_then(play);
                (output, DetailedVerdict::of_played(played))
            }
            Answer::Stopped { by, output } => {
                (output, DetailedVerdict::of_cause(&FailureCause::Stopped(by)))
            }
            Answer::Void(why) => (Vec::new(), DetailedVerdict::of_cause(&FailureCause::Void(why))),
        }
    }

    /// Judges an answer to a call of the classic dialect, and returns what the log keeps of it.
    pub(crate) fn of_classic(
        call: &dyn ClassicCall,
        reading: Strictness,
        answer: Answer,
        play: impl FnOnce(&str) -> Result<(), Refusal>,
    ) -> (EscapedBytes, Option<ClassicReply>, DetailedVerdict) {
        let (file, output) = match answer {
            Answer::Classic { file, output } => (file, output),
            // A program that ended well without touching its file.
            Answer::Output(output) => (call.file().as_bytes().to_vec(), output),
            Answer::Stopped { .. } | Answer::Void(_) => {
                let (output, ruling) = DetailedVerdict::judge(answer, play);
                return (logged_output(output), None, ruling);
            }
        };
        let ruling = match call.read(reading, &file, &output) {
            Ok(mv) => DetailedVerdict::of_played(play(&mv)),
            Err(ruling) => ruling,
        };
        let (reply, file) = match file.strip_prefix(call.file().as_bytes()) {
            Some(appended) => (appended.to_vec(), FileChange::Appended),
            None => (file, FileChange::Rewritten),
        };
        (EscapedBytes(reply), Some(ClassicReply { file, printed: logged_output(output) }), ruling)
    }

    fn of_cause(cause: &FailureCause) -> DetailedVerdict {
        DetailedVerdict { verdict: cause.verdict(), detail: cause.to_string() }
    }

    fn of_played(played: Result<(), Refusal>) -> DetailedVerdict {
        let Err(refusal) = played else {
            return DetailedVerdict { verdict: Verdict::Ok, detail: String::new() };
        };
        let verdict = match &refusal {
            Refusal::Nothing => Verdict::NoAnswer,
            Refusal::Malformed(_) => Verdict::Malformed,
            Refusal::Illegal(_) => Verdict::Illegal,
            Refusal::Rules(_) => Verdict::Void,
        };
        DetailedVerdict { verdict, detail: refusal.to_string() }
    }
}
