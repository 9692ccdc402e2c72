//! One custom game: the referee's side of an instance.

use std::cell::{OnceCell, RefCell};
use std::sync::Arc;

use text::printable;

use super::answer::{self, History, Next, RulesAnswer, SeatTurn, State};
use super::fault::{LONGEST_MOVE, NoAnswer, ProtocolError, RulesFault, is_text};
use super::instance::{CallLog, OpenRules, RulesInstance};
use crate::answer::Refusal;
use crate::cause::{Verdict, VoidCause};
use crate::dialect::ClassicCall;
use crate::dyn_rules::RestartPolicy;
use crate::game::{HistoryLine, ImpossibleChance, ListCompleteness, RequestHeading, Turn};
use crate::request_text::{LISTED, RequestText};
use crate::seat::{PerSeat, Score, Seat};
use crate::seed::Nature;
use crate::table::Table;
use crate::text::NotText;

/// The most inputs in a custom game.
pub const MOST_INPUTS: usize = 20_000;

/// The most bytes of all that could be drawn in a game, and of all that was: a log holds both.
const LONGEST_DRAWS: usize = 16 << 20;

/// A game that an instance plays, with its history.
///
/// After a fault nothing is asked any more, and the state is the last one that was told.
pub(super) struct CustomTable {
    game: Arc<OpenRules>,
    options: String,
    seats: usize,
    /// None after a fault: what has failed once is not asked again.
    instance: RefCell<Option<Box<dyn RulesInstance>>>,
    /// What other rules are called with in the place of those that were ended.
    calls: RefCell<CallLog>,
    state: State,
    history: History,
    inputs: usize,
    /// Number of bytes of what could be drawn and what was.
    drawn: usize,
    last_move: Option<String>,
    fault: OnceCell<RulesFault>,
}

impl Drop for CustomTable {
    fn drop(&mut self) {
        if let Some(instance) = self.instance.get_mut().take() {
            self.game.keep(instance, self.inputs);
        }
    }
}

impl CustomTable {
    /// Begins a game with options that are spelt.
    ///
    /// # Errors
    ///
    /// Says why the rules refuse the options.
    pub(super) fn try_open(
        game: &Arc<OpenRules>,
        options: &str,
        renewal: RestartPolicy,
    ) -> Result<Result<CustomTable, RulesFault>, NotText> {
        let seats = game.about.seats_of(options)?;
        let call = format!("new {options}");
        let mut calls = CallLog::new(renewal);
        let begun =
            game.begin(&call).or_else(|fault| calls.answer_after_restart(game, &call, fault));
        let (instance, text) = match begun {
            Ok(begun) => begun,
            Err(fault) => return Ok(Err(fault)),
        };
        match RulesAnswer::read(&text, seats) {
            Err(broken) => Ok(Err(RulesFault::broken(&call, &text, broken))),
            Ok(RulesAnswer::Refused(reason)) => {
                game.keep(instance, 0);
                let expected = format!("options that the game accepts ({})", printable(&reason));
                Err(NotText::new(expected, options))
            }
            Ok(RulesAnswer::Played { events, state }) => {
                calls.add(&call, &text);
                let mut table = CustomTable::at(game, options, seats, state);
                (table.instance, table.calls) = (RefCell::new(Some(instance)), RefCell::new(calls));
                let in_order = table.check_most(&table.state);
                let in_order = in_order.map_err(|broken| RulesFault::broken(&call, &text, broken));
                if let Err(fault) = in_order.and_then(|()| table.history.add_events(events)) {
                    table.fail(fault);
                }
                Ok(Ok(table))
            }
        }
    }

    /// A game that has failed before it began.
    pub(super) fn failed(
        game: &Arc<OpenRules>,
        options: &str,
        seats: usize,
        fault: RulesFault,
    ) -> CustomTable {
        let state = State {
            next: Next::Over(PerSeat::new(seats, |_| Score::ZERO)),
            view: Vec::new(),
            points: None,
            gone: Default::default(),
            walkover: None,
        };
        let table = CustomTable::at(game, options, seats, state);
        table.fail(fault);
        table
    }

    fn at(game: &Arc<OpenRules>, options: &str, seats: usize, state: State) -> CustomTable {
        CustomTable {
            game: Arc::clone(game),
            options: options.to_owned(),
            seats,
            instance: RefCell::default(),
            calls: RefCell::new(CallLog::new(RestartPolicy::Never)),
            state,
            history: History::default(),
            inputs: 0,
            drawn: 0,
            last_move: None,
            fault: OnceCell::new(),
        }
    }

    fn fail(&self, fault: RulesFault) {
        self.instance.borrow_mut().take();
        // The first fault is the one to report.
        let _ = self.fault.set(fault);
    }

    /// Gives the instance an input, and takes the state that follows; a refusal changes nothing.
    fn input(&mut self, call: &str) -> Result<Result<(), String>, RulesFault> {
        self.inputs += 1;
        if self.inputs > MOST_INPUTS {
            return Err(RulesFault::limit_exceeded(format_args!("more than {MOST_INPUTS} inputs")));
        }
        let answer = self.call(call)?;
        let read = RulesAnswer::read(&answer, self.seats);
        match read.map_err(|broken| RulesFault::broken(call, &answer, broken))? {
            RulesAnswer::Refused(reason) => Ok(Err(reason)),
            RulesAnswer::Played { events, state } => {
                self.check_most(&state)
                    .map_err(|broken| RulesFault::broken(call, &answer, broken))?;
                self.history.add_events(events)?;
                self.calls.get_mut().add(call, &answer);
                self.state = state;
                Ok(Ok(()))
            }
        }
    }

    fn call(&self, call: &str) -> Result<String, RulesFault> {
        let mut instance = self.instance.borrow_mut();
        match (&mut *instance, self.fault.get()) {
            (Some(own), None) => own.call(call).or_else(|why| {
                let fault = RulesFault::no_answer(call, why);
                let anew = self.calls.borrow_mut().answer_after_restart(&self.game, call, fault);
                let (other, answer) = anew?;
                *own = other;
                Ok(answer)
            }),
            (_, Some(fault)) => Err(fault.clone()),
            (None, None) => {
                let why = "no instance of them is left".to_owned();
                Err(RulesFault::not_started(NoAnswer::Rules(why)))
            }
        }
    }

    /// Checks that no seat scores more than the description says.
    fn check_most(&self, state: &State) -> Result<(), ProtocolError> {
        let Some(most) = self.game.about.most else { return Ok(()) };
        let over = match &state.next {
            Next::Over(scores) => Some(scores),
            Next::Nature(_) | Next::Turn(_) => None,
        };
        let all = [over, state.points.as_ref(), state.walkover.as_ref()];
        match all.into_iter().flatten().flat_map(PerSeat::values).all(|score| *score <= most) {
            true => Ok(()),
            false => {
                Err(ProtocolError::of_answer(format!("expected no score above `most` {most}")))
            }
        }
    }

    fn turn_of_seat(&self) -> Option<&SeatTurn> {
        match &self.state.next {
            Next::Turn(turn) => Some(turn),
            Next::Nature(_) | Next::Over(_) => None,
        }
    }

    /// Plays a move that the rules have listed; to refuse it is a fault.
    fn play_own(&mut self, mv: &str) -> bool {
        let call = format!("play {mv}");
        match self.input(&call) {
            Ok(Ok(())) => {
                self.last_move = Some(mv.to_owned());
                true
            }
            Ok(Err(reason)) => {
                self.fail(refused(&call, &reason, "expected a move that was listed to be played"));
                false
            }
            Err(fault) => {
                self.fail(fault);
                false
            }
        }
    }

    /// The one spelling of a reply, and whether the rules have listed it: a list that is cut may not hold it.
    fn match_move(&self, reply: &str) -> Result<(String, bool), Refusal> {
        let words: Vec<&str> = reply.split_ascii_whitespace().collect();
        let mv = words.join(" ");
        if !is_text(&mv) || mv.len() > LONGEST_MOVE {
            let expected = format!("a move of at most {LONGEST_MOVE} characters");
            return Err(NotText::new(expected, reply).into());
        }
        let turn =
            self.turn_of_seat().ok_or_else(|| Refusal::Illegal("no seat is to move".into()))?;
        match (turn.moves.contains(&mv), turn.listing) {
            (true, _) => Ok((mv, true)),
            (false, ListCompleteness::Cut) => Ok((mv, false)),
            (false, ListCompleteness::Complete) => Err(Refusal::unlisted()),
        }
    }
}

fn refused(call: &str, reason: &str, expected: &str) -> RulesFault {
    let answer = format!("refused {reason}");
    RulesFault::broken(call, &answer, ProtocolError::of_answer(expected))
}

impl Table for CustomTable {
    fn seats(&self) -> usize {
        self.seats
    }

    fn turn(&self) -> Turn {
        match &self.state.next {
            Next::Nature(_) => Turn::Nature,
            Next::Turn(turn) => Turn::Seat(turn.seat),
            Next::Over(scores) => Turn::Over(scores.clone()),
        }
    }

    fn fault(&self) -> Option<VoidCause> {
        self.fault.get().map(RulesFault::void)
    }

    fn pool(&self) -> Option<String> {
        match &self.state.next {
            Next::Nature(pool) => Some(pool.to_string()),
            Next::Turn(_) | Next::Over(_) => None,
        }
    }

    fn request(&self, heading: RequestHeading) -> String {
        let lines = self.history_of(heading.seat, 0);
        let text: String = lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect();
        let (moves, listing) = self.legal_moves();
        let legal = &moves[..moves.len().min(LISTED)];
        RequestText {
            game: &self.game.about.name,
            options: &self.options,
            heading: &heading,
            view: &self.view(heading.seat),
            history_lines: lines.len(),
            history: &text,
            legal,
            listing: if legal.len() < moves.len() { ListCompleteness::Cut } else { listing },
        }
        .text()
    }

    fn classic(&self, _heading: RequestHeading) -> Option<Box<dyn ClassicCall>> {
        None
    }

    fn legal_moves(&self) -> (Vec<String>, ListCompleteness) {
        match self.turn_of_seat() {
            Some(turn) => (turn.moves.clone(), turn.listing),
            None => (Vec::new(), ListCompleteness::Complete),
        }
    }

    fn sample(&self, nature: &mut Nature) -> Option<String> {
        match &self.state.next {
            Next::Nature(pool) => Some(pool.draw(nature)),
            Next::Turn(_) | Next::Over(_) => None,
        }
    }

    fn happen(&mut self, chance: &str) -> Result<(), ImpossibleChance> {
        let can_be = matches!(&self.state.next, Next::Nature(pool) if pool.holds(chance));
        if !can_be {
            return Err(ImpossibleChance("the rules do not list it here".to_owned()));
        }
        self.drawn += chance.len() + self.pool().map_or(0, |pool| pool.len());
        let call = format!("happen {chance}");
        if self.drawn > LONGEST_DRAWS {
            let fault = RulesFault::limit_exceeded(format_args!(
                "more than {LONGEST_DRAWS} bytes of draws"
            ));
            let impossible = ImpossibleChance(fault.to_string());
            self.fail(fault);
            return Err(impossible);
        }
        let fault = match self.input(&call) {
            Ok(Ok(())) => return Ok(()),
            Ok(Err(reason)) => refused(&call, &reason, "expected a possible outcome to happen"),
            Err(fault) => fault,
        };
        let impossible = ImpossibleChance(fault.to_string());
        self.fail(fault);
        Err(impossible)
    }

    fn play(&mut self, reply: &str) -> Result<(), Refusal> {
        let (mv, is_listed) = self.match_move(reply)?;
        let call = format!("play {mv}");
        let fault = match self.input(&call) {
            Ok(Ok(())) => {
                self.last_move = Some(mv);
                return Ok(());
            }
            Ok(Err(reason)) if !is_listed => return Err(Refusal::Illegal(printable(&reason))),
            Ok(Err(reason)) => {
                refused(&call, &reason, "expected a move that was listed to be played")
            }
            Err(fault) => fault,
        };
        let refusal = Refusal::Rules(fault.void());
        self.fail(fault);
        Err(refusal)
    }

    fn check(&self, reply: &str) -> Result<(), Refusal> {
        let (mv, is_listed) = self.match_move(reply)?;
        if is_listed {
            return Ok(());
        }
        let call = format!("check {mv}");
        let answer = self.call(&call).and_then(|answer| {
            answer::read_check(&answer).map_err(|broken| RulesFault::broken(&call, &answer, broken))
        });
        match answer {
            Ok(None) => Ok(()),
            Ok(Some(reason)) => Err(Refusal::Illegal(printable(&reason))),
            Err(fault) => {
                let refusal = Refusal::Rules(fault.void());
                self.fail(fault);
                Err(refusal)
            }
        }
    }

    fn history_of(&self, seat: Seat, from: usize) -> Vec<String> {
        self.history.seen_from(seat, from).map(|line| line.text()).collect()
    }

    fn narrate_to(&self, seat: Seat, from: usize, names: &PerSeat<String>) -> String {
        self.history.seen_from(seat, from).map(|line| line.narrated(names)).collect()
    }

    fn play_forced(&mut self) -> bool {
        let forced = self.turn_of_seat().filter(|turn| turn.forced);
        let mv = forced.and_then(|turn| turn.moves.first().cloned());
        mv.is_some_and(|mv| self.play_own(&mv))
    }

    fn play_fallback(&mut self) -> bool {
        let fallback = self.turn_of_seat().map(|turn| turn.fallback.clone());
        fallback.is_some_and(|mv| self.play_own(&mv))
    }

    fn rule_out(&mut self, seat: Seat, verdict: Verdict) {
        self.history.add_out(seat, verdict);
    }

    fn last_move(&self) -> Option<String> {
        self.last_move.clone()
    }

    fn points_so_far(&self, seat: Seat) -> Score {
        self.state.points.as_ref().map_or(Score::ZERO, |points| points[seat])
    }

    fn contends(&self, seat: Seat) -> bool {
        !self.state.gone.contains(&seat)
    }

    fn walkover(&self, seat: Seat) -> Score {
        match &self.state.walkover {
            Some(scores) => scores[seat],
            None => self.game.about.most.unwrap_or(Score::points(1)),
        }
    }

    fn history_len(&self) -> usize {
        self.history.len()
    }

    fn history(&self, from: usize) -> Vec<String> {
        self.history.full_from(from).map(|line| line.text()).collect()
    }

    fn history_lines(&self, from: usize) -> Vec<HistoryLine> {
        self.history.lines(from)
    }

    fn view(&self, seat: Seat) -> String {
        let lines = self.state.view.iter().filter(|(whose, _)| whose.is_none_or(|it| it == seat));
        lines.map(|(_, line)| line.as_str()).collect::<Vec<_>>().join("\n")
    }

    fn public_view(&self) -> String {
        let lines = self.state.view.iter().filter(|(whose, _)| whose.is_none());
        lines.map(|(_, line)| line.as_str()).collect::<Vec<_>>().join("\n")
    }

    fn has_out_line(&self, from: usize) -> bool {
        self.history.has_out_line(from)
    }

    fn narrate(&self, from: usize, names: &PerSeat<String>) -> String {
        self.history.full_from(from).map(|line| line.narrated(names)).collect()
    }
}
