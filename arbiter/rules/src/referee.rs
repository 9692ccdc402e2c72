//! The referee: one game as a state machine without input or output.
//!
//! [`Referee::step`] says what is needed next, and hands out the only means to supply it. A live
//! match, a replay of a log, a test with scripted answers and a fuzzer all drive the same machine;
//! they differ in where chance and answers come from.

use ::text::printable;

use crate::cause::Void;
use crate::clock::{Bank, Clock, Elapsed, SeatTime};
use crate::dialect::Dialect;
use crate::game::{Impossible, Turn};
use crate::history::HistoryLine;
use crate::kind::GameKind;
use crate::record::{AnswerRecord, Input, Outcome};
use crate::renewal::Renewal;
use crate::score::Score;
use crate::seat::{PerSeat, Seat};
use crate::seed::{BotSeeds, MatchId, Nature};
use crate::table::Table;
use crate::text::NotText;
use crate::verdict::Verdict;
use crate::wire::Retry;

mod question;

pub use question::{JudgedAnswer, Prompt, Question};

/// One game under a referee.
pub struct Referee {
    table: Box<dyn Table>,
    terms: Terms,
    out: PerSeat<Option<Verdict>>,
    /// Number of moves made, those of the house and forced ones included.
    moves: u32,
    /// The second chance that the seat to be asked has now.
    retry: Option<Retry>,
    inputs: Vec<Input>,
    /// What could have been drawn, for each draw of a game of one's own.
    pools: Vec<String>,
    /// The time that each seat has left.
    clocks: PerSeat<Clock>,
    /// How long each answer took, if a clock counts that.
    elapsed: Vec<Elapsed>,
    outcome: Option<Outcome>,
}

/// Terms of a game that its requests tell beside the game itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Terms {
    /// The public name of the game.
    pub id: MatchId,
    /// The time of each seat.
    pub times: PerSeat<SeatTime>,
    /// The number of further chances of a seat after an illegal or malformed answer.
    pub retries: u32,
    /// The way in which each seat is asked.
    pub dialects: PerSeat<Dialect>,
    /// Key of the bots' seeds.
    pub bot_seeds: BotSeeds,
}

impl Terms {
    /// Terms with the same time for every answer of some seats, in milliseconds, the native dialect
    /// and no second chances.
    pub fn even(id: MatchId, seats: usize, time: u64, bot_seeds: BotSeeds) -> Terms {
        let times = PerSeat::new(seats, |_| SeatTime::even(time));
        let dialects = PerSeat::new(seats, |_| Dialect::Native);
        Terms { id, times, retries: 0, dialects, bot_seeds }
    }
}

/// Next need of the referee.
pub enum Step<'a> {
    /// Nature must decide.
    Nature(Draw<'a>),
    /// A seat must be asked.
    Ask(Question<'a>),
    /// The house played for a seat that is out, or the rules left one move only; nothing is
    /// needed, step again.
    Moved,
    /// The game is over.
    Over(&'a Outcome),
}

/// A decision that nature owes.
pub struct Draw<'a>(&'a mut Referee);

impl Referee {
    /// A new game. Rules that are not compiled in and are ended in it make it void.
    ///
    /// # Errors
    ///
    /// Says what is wrong with the options, that there is not a time and a dialect for each seat,
    /// or that the game does not have such a dialect.
    pub fn new(kind: &GameKind, options: &str, terms: Terms) -> Result<Self, NotText> {
        Referee::with(kind, options, terms, Renewal::Never)
    }

    /// Likewise with this treatment of rules that are ended.
    ///
    /// # Errors
    ///
    /// Likewise.
    pub fn with(
        kind: &GameKind,
        options: &str,
        terms: Terms,
        renewal: Renewal,
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

    /// The terms of the game.
    pub(crate) fn terms(&self) -> &Terms {
        &self.terms
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
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// What could have been drawn, for each draw so far of a game of one's own.
    pub fn pools(&self) -> &[String] {
        &self.pools
    }

    /// What the clock of a seat shows, if it has one.
    pub fn bank(&self, seat: Seat) -> Option<Bank> {
        self.clocks[seat].bank()
    }

    /// How long each answer so far took; nothing in a game without clocks.
    pub fn elapsed(&self) -> &[Elapsed] {
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
        if let Some(Input::Answer(answer)) = self.inputs.last()
            && self.table.tells_of_out(from)
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
            Turn::Nature => Step::Nature(Draw(self)),
            Turn::Seat(seat) if !self.is_asked_all(seat) && self.table.play_forced() => {
                self.moved()
            }
            // The next step reports it. A seat whose forced move meets a fault of the rules is asked, as in old logs.
            Turn::Seat(_) if matches!(self.table.fault(), Some(Void::RulesEnded(_))) => Step::Moved,
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

impl Draw<'_> {
    /// Draws the decision from a stream of chance.
    pub fn draw(self, nature: &mut Nature) {
        let Draw(referee) = self;
        let Some(chance) = referee.table.sample(nature) else {
            return referee.void("nature was asked out of turn".into());
        };
        if let Err(impossible) = Draw(referee).happen(&chance)
            && referee.table.fault().is_none()
        {
            referee.void(format!("nature decided what cannot be: {impossible}"));
        }
    }

    /// Takes the decision from elsewhere, as from a log. One that cannot be changes nothing.
    pub fn happen(self, chance: &str) -> Result<(), Impossible> {
        let pool = self.0.table.pool();
        self.0.table.happen(chance)?;
        self.0.pools.extend(pool);
        self.0.inputs.push(Input::Chance(chance.to_owned()));
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
