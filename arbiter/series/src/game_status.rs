//! The status of a game that was played: it counts, it is played again, it is given up, or the
//! match stops.

use std::cmp::Reverse;
use std::sync::Arc;

use rules::{
    AnswerRecord, FailureCause, GameRecord, Measurements, Outcome, PerSeat, RefereeInput, Score,
    Seat, StopCause, TimeControl, Verdict, VoidCause,
};
use standings::{LeadClarity, Leads, OutsideHelp};

use crate::conditions::SuspectGames;
use crate::header::PlayerLine;
use crate::series::Series;

/// The most times that a game is played again.
pub const AGAIN: u32 = 3;

/// The longest wait for a processor, in milliseconds, that no bot is excused by whose time for a game was
/// used up.
const SHORT_WAIT: f64 = 20.0;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GameStatus {
    Counts,
    /// It does not count, and is played again with other cards.
    Again,
    /// It was void too often while a seat was asked, and is left out of its tournament.
    GivenUp,
    /// It does not count, and nothing more is played: nothing can be, or a person has left.
    Stops,
}

/// The status of a game of this series.
///
/// It follows from the log alone, so no one can have a game played again that was merely lost.
pub fn game_status(game: &GameRecord, series: &Series) -> GameStatus {
    let again = game.attempt < AGAIN;
    match (&game.result, series.header().suspect_games) {
        (Outcome::Void { .. }, _) if who_left(game, series).is_some() => GameStatus::Stops,
        (Outcome::Void { .. }, _) if broken_rules(game).is_some() => GameStatus::Stops,
        (Outcome::Void { .. }, _) if again => GameStatus::Again,
        (Outcome::Void { .. }, _) if series.header().tournament.is_some() => {
            culprit(game).map_or(GameStatus::Stops, |_| GameStatus::GivenUp)
        }
        (Outcome::Void { .. }, _) => GameStatus::Stops,
        (_, SuspectGames::PlayAgain) if again && is_suspect(game, &series.times(game.game)) => {
            GameStatus::Again
        }
        (_, SuspectGames::PlayAgain | SuspectGames::Count) => GameStatus::Counts,
    }
}

/// The fault of the rules that has made a game void, if it was one: played again, the game would have
/// it again.
pub fn broken_rules(game: &GameRecord) -> Option<String> {
    match game.result.cause() {
        Some(FailureCause::Void(VoidCause::Rules(fault))) => Some(fault),
        Some(FailureCause::Void(_) | FailureCause::Stopped(_)) | None => None,
    }
}

/// How the machine has ended the rules of a void game, if it has: played again, the game may not have it.
pub fn ended_rules(game: &GameRecord) -> Option<String> {
    match game.result.cause() {
        Some(FailureCause::Void(VoidCause::RulesEnded(why))) => Some(why),
        Some(FailureCause::Void(_) | FailureCause::Stopped(_)) | None => None,
    }
}

/// The seat that was asked when a game became void; none where no one was, or it became void by its rules.
pub fn culprit(game: &GameRecord) -> Option<Seat> {
    if broken_rules(game).is_some() || ended_rules(game).is_some() {
        return None;
    }
    match game.inputs.last() {
        Some(RefereeInput::Answer(AnswerRecord { seat, verdict: Verdict::Void, .. })) => {
            Some(*seat)
        }
        Some(RefereeInput::Answer(_) | RefereeInput::Chance(_)) | None => None,
    }
}

/// The name of the person who has left this game, if one has.
pub fn who_left<'a>(game: &GameRecord, series: &'a Series) -> Option<&'a str> {
    let Some(FailureCause::Void(VoidCause::Left(name))) = game.result.cause() else { return None };
    let mut people = series.header().players.iter().filter(|player| player.is_person());
    people.find(|player| player.name == name).map(|player| player.name.as_str())
}

/// Returns true if a bot was late in this game and the machine may be to blame.
///
/// This is so if the bot used less than half of its time on a processor, and it and the referee
/// together were ready to run for a fifth of it or more while others had the processors. If its time for
/// the game was used up, its time is the rest of that at its last answer, or the sum over all its answers.
pub fn is_suspect(game: &GameRecord, times: &PerSeat<TimeControl>) -> bool {
    !suspect_seats(game, times).is_empty()
}

/// The seats whose bots were late in a game that is [suspect](is_suspect) because of it.
pub fn suspect_seats(game: &GameRecord, times: &PerSeat<TimeControl>) -> Vec<Seat> {
    let is_machines = |seat| lateness(game, times, seat).is_some_and(|late| late.is_suspect());
    times.iter().map(|(seat, _)| seat).filter(|seat| is_machines(*seat)).collect()
}

/// The measurements that decide whether a bot that was late was slow itself, or the machine busy.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lateness {
    /// Milliseconds that the bot had.
    pub time_ms: f64,
    /// Milliseconds of CPU time that it used, where they were measured.
    pub cpu_ms: Option<f64>,
    /// Milliseconds that it and the referee were kept waiting for a processor, where they were measured.
    pub waited_ms: Option<f64>,
    /// The shortest wait that is an excuse, in milliseconds.
    pub least_wait_ms: f64,
}

impl Lateness {
    /// Returns true if the machine may be to blame.
    pub fn is_suspect(&self) -> bool {
        self.has_little_cpu() && self.has_waited()
    }

    /// Returns true if the bot used less than half of its time on a processor.
    pub fn has_little_cpu(&self) -> bool {
        self.cpu_ms.is_some_and(|cpu| cpu < self.time_ms / 2.0)
    }

    /// Returns true if it was kept waiting for long enough.
    pub fn has_waited(&self) -> bool {
        self.waited_ms.is_some_and(|waited| waited >= self.least_wait_ms)
    }

    fn measured(measured: &Measurements, time_ms: f64) -> Lateness {
        let (cpu_ms, waited_ms) = (measured.cpu_ms, waited(measured));
        Lateness { time_ms, cpu_ms, waited_ms, least_wait_ms: time_ms / 5.0 }
    }
}

/// How late the bot at a seat was, if its fault in this game is that it was.
pub fn lateness(game: &GameRecord, times: &PerSeat<TimeControl>, seat: Seat) -> Option<Lateness> {
    let (answer, measured) = game.fault_of(seat)?;
    let time = times[seat];
    match answer.cause() {
        Some(FailureCause::Stopped(StopCause::GameTime(left))) => {
            let last = at_last(measured, left as f64);
            let all = (!last.is_suspect()).then(|| by_and_by(game, seat, time));
            Some(all.filter(Lateness::is_suspect).unwrap_or(last))
        }
        Some(FailureCause::Stopped(StopCause::NoExit(limit) | StopCause::NoLine(limit)))
            if time.first.is_some() =>
        {
            Some(Lateness::measured(measured, limit as f64))
        }
        _ if answer.verdict == Verdict::Timeout => {
            Some(Lateness::measured(measured, time.answer as f64))
        }
        _ => None,
    }
}

/// Returns true if the machine may be to blame for an answer that came too late, with this number of
/// milliseconds of time.
pub fn is_machines(measured: &Measurements, time: f64) -> bool {
    Lateness::measured(measured, time).is_suspect()
}

/// The lateness of the last answer of a bot that had this number of milliseconds left for a game. However
/// little that was, a short wait is no excuse: it happens on every machine, and bots could reckon on it.
fn at_last(measured: &Measurements, left: f64) -> Lateness {
    let late = Lateness::measured(measured, left);
    Lateness { least_wait_ms: late.least_wait_ms.max(SHORT_WAIT), ..late }
}

/// Likewise for all answers of a seat that its clock has counted.
fn by_and_by(game: &GameRecord, seat: Seat, time: TimeControl) -> Lateness {
    let own = game.answers().filter(|(answer, _)| answer.seat == seat);
    let counted = own.skip(usize::from(time.first.is_some()));
    let (mut sum, mut all) = (Measurements { cpu_ms: Some(0.0), ..Measurements::default() }, 0.0);
    for (_, measured) in counted {
        all += measured.ms;
        sum.cpu_ms = sum.cpu_ms.zip(measured.cpu_ms).map(|(one, other)| one + other);
        sum.waited_ms =
            Some(sum.waited_ms.unwrap_or_default() + waited(measured).unwrap_or_default());
    }
    Lateness::measured(&sum, all)
}

/// Milliseconds that a bot and the referee were kept waiting, as far as it was measured.
fn waited(measured: &Measurements) -> Option<f64> {
    let parts = [measured.waited_ms, measured.referee_waited_ms];
    parts.into_iter().flatten().reduce(|one, other| one + other)
}

/// Totals of one player over all games of a match.
#[derive(Debug, Clone, PartialEq)]
pub struct PlayerTotals {
    pub name: String,
    /// The way in which it may have received help from outside.
    pub help: Option<OutsideHelp>,
    /// Its points over all games.
    pub points: Score,
    /// The number of games it won alone.
    pub won: u64,
    /// The number of games it won along with others.
    pub drawn: u64,
    /// The number of games another player won.
    pub lost: u64,
    /// The number of games in which it was out by a fault; these are among the games lost.
    pub faults: u64,
    /// The first of these faults, which can hold much text; copies of the totals share it.
    pub first_fault: Option<Arc<Fault>>,
    /// The number of its processes that escaped from their group, and were killed afterwards.
    pub escaped: u64,
}

/// A fault that put a player out of a game.
#[derive(Debug, Clone, PartialEq)]
pub struct Fault {
    pub game: u64,
    /// The answer that did it.
    pub answer: AnswerRecord,
    pub measured: Measurements,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Totals {
    players: Vec<PlayerTotals>,
    played_again: u64,
    given_up: u64,
    suspect: Vec<u64>,
    /// The leads of the players over each other; none where not all of them play every game.
    leads: Leads,
}

/// Players of whom the games do not show which one is best.
#[derive(Debug, Clone, PartialEq)]
pub struct PossibleWinners<'a> {
    /// The player with the most points, and after it those that the games do not show to be worse, most points first.
    pub players: Vec<&'a PlayerTotals>,
    /// About so many more games would show it, if players differ by as much as it seems; none where some have the same
    /// points.
    pub more_games: Option<u64>,
}

impl Totals {
    pub fn new(series: &Series) -> Totals {
        let zero = |player: &PlayerLine| PlayerTotals {
            name: player.name.clone(),
            help: player.outside_help(),
            points: Score::ZERO,
            won: 0,
            drawn: 0,
            lost: 0,
            faults: 0,
            first_fault: None,
            escaped: 0,
        };
        let players: Vec<PlayerTotals> = series.header().players.iter().map(zero).collect();
        let all_play = series.seats() == players.len();
        let leads = Leads::new(if all_play { players.len() } else { 0 });
        Totals { players, leads, ..Totals::default() }
    }

    /// Adds a game of the series with what becomes of it; one that is played again counts for nothing
    /// but that.
    ///
    /// A seat that is out cannot have won, even where everyone scores 0.
    pub fn add(&mut self, game: &GameRecord, status: GameStatus, series: &Series) {
        let seating = series.seating(game.game);
        let places = seating.players.values();
        self.add_escaped(game, places);
        let Some(scores) = game.result.scores().filter(|_| status == GameStatus::Counts) else {
            match status {
                GameStatus::GivenUp => self.given_up += 1,
                GameStatus::Again | GameStatus::Counts => self.played_again += 1,
                // Nothing is played after it.
                GameStatus::Stops => {}
            }
            return;
        };
        if is_suspect(game, &series.times(game.game)) {
            self.suspect.push(game.game);
        }
        let faults = game.result.faults();
        let is_out = |seat| faults.iter().any(|(out, _)| *out == seat);
        let contenders = || scores.iter().filter(|(seat, _)| !is_out(*seat));
        let best = contenders().map(|(_, score)| *score).max();
        let winners = contenders().filter(|(_, score)| Some(**score) == best).count();
        for (seat, score) in scores.iter() {
            let place = places.get(seat.index()).copied();
            let Some(total) = place.and_then(|place| self.players.get_mut(place)) else { continue };
            total.points += *score;
            total.faults += u64::from(is_out(seat));
            if total.first_fault.is_none() {
                let fault = |(answer, measured): (&AnswerRecord, &Measurements)| Fault {
                    game: game.game,
                    answer: answer.clone(),
                    measured: measured.clone(),
                };
                total.first_fault = game.fault_of(seat).map(fault).map(Arc::new);
            }
            match Some(*score) == best && !is_out(seat) {
                true if winners == 1 => total.won += 1,
                true => total.drawn += 1,
                false => total.lost += 1,
            }
        }
        let mut points = vec![0.0; self.players.len()];
        for (place, score) in places.iter().zip(scores.values()) {
            if let Some(points) = points.get_mut(*place) {
                *points = score.as_f64();
            }
        }
        self.leads.add(game.deal, &points);
    }

    fn add_escaped(&mut self, game: &GameRecord, places: &[usize]) {
        for (answer, measured) in game.answers() {
            let place = places.get(answer.seat.index()).copied();
            if let Some(total) = place.and_then(|place| self.players.get_mut(place)) {
                total.escaped += u64::from(measured.escaped);
            }
        }
    }

    /// The totals, in the order of the players.
    pub fn players(&self) -> &[PlayerTotals] {
        &self.players
    }

    /// Number of games that do not count because they were void or suspect and were played again.
    pub fn played_again(&self) -> u64 {
        self.played_again
    }

    /// Number of games that are left out because they were void too often.
    pub fn given_up(&self) -> u64 {
        self.given_up
    }

    /// The numbers of the games, from 0, that count although an overloaded machine may have
    /// decided them.
    pub fn suspect(&self) -> &[u64] {
        &self.suspect
    }

    /// The points, in the order of the players.
    pub fn points(&self) -> Vec<Score> {
        self.players.iter().map(|total| total.points).collect()
    }

    /// The totals with the most points first.
    pub fn standings(&self) -> Vec<&PlayerTotals> {
        self.ranked().into_iter().map(|(_, total)| total).collect()
    }

    /// Likewise, each with its place in the order of the players.
    fn ranked(&self) -> Vec<(usize, &PlayerTotals)> {
        let mut ranked: Vec<(usize, &PlayerTotals)> = self.players.iter().enumerate().collect();
        ranked.sort_by_key(|(_, total)| Reverse(total.points));
        ranked
    }

    /// The players of whom the games of a match do not show which one is best; nothing if they show it.
    pub fn undecided(&self) -> Option<PossibleWinners<'_>> {
        let ranked = self.ranked();
        let ((leader, first), others) = ranked.split_first()?;
        let mut undecided = PossibleWinners { players: vec![*first], more_games: Some(0) };
        for (other, total) in others {
            if let LeadClarity::Open { more_games } = self.leads.clarity(*leader, *other) {
                undecided.players.push(*total);
                // The most that one of them needs, and none if one of them has none.
                let most = undecided.more_games.zip(more_games);
                undecided.more_games = most.map(|(one, other)| one.max(other));
            }
        }
        (undecided.players.len() > 1).then_some(undecided)
    }

    /// The player with the most points, if there is only one.
    pub fn winner(&self) -> Option<&PlayerTotals> {
        match self.standings()[..] {
            [first, second, ..] if first.points == second.points => None,
            [first, ..] => Some(first),
            [] => None,
        }
    }
}
