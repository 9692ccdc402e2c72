//! Having void games played again: which games, and the lines of the log for it.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::Serialize;
use standings::Entrant;
use text::failure::Failure;
use text::printable;

use crate::correction::{Correction, reason_in_line};
use crate::events::{self, LeagueEvent};
use crate::folder::LeagueFolder;
use crate::index::{IndexError, LeagueIndex, RoundGame};
use crate::line::{LeagueLine, ReplayLine, RoundLine, VoidLine};
use crate::replay_line::ReplayedGame;
use crate::state::{League, Round};
use crate::version::BotVersion;
use crate::voiding::{CorrectionRequest, VoidScope};

#[derive(Debug, Clone, Default)]
pub struct ReplayEffect {
    pub void: Vec<String>,
    /// Games that are played again.
    pub replayed: Vec<String>,
    /// Tables that are left out: the round, their bots, and the one that no longer plays.
    pub left_out: BTreeSet<(u64, String, BotVersion)>,
}

impl CorrectionRequest<'_> {
    /// Returns the lines of the log that have the games played again.
    fn replay_lines(
        &self,
        league: &League,
        outcome: &mut ReplayEffect,
    ) -> Result<Vec<LeagueLine>, Failure> {
        if self.rounds.is_empty() {
            return Err(Failure::usage("no games to replay: name rounds, or games of a round"));
        }
        let reason = reason_in_line(self.reason)?;
        let mut lines = Vec::new();
        for scope in self.rounds {
            let round = finished(league, scope.round)?;
            let found = games(league, round, scope, self.bot, &mut outcome.left_out)?;
            lines.extend(lines_for(league, &round.line, found, &reason));
        }
        Ok(lines)
    }

    /// Returns what the request would do, with nothing changed.
    ///
    /// # Errors
    ///
    /// As for [`replay`].
    pub fn forecast_replay(&self, folder: &LeagueFolder) -> Result<ReplayEffect, Failure> {
        let league = folder.read()?;
        let mut outcome = ReplayEffect::default();
        let lines = self.replay_lines(&league, &mut outcome)?;
        let after = folder.trial(&league, lines.clone())?;
        outcome.tell(league.corrections().all().len(), &after, &lines);
        Ok(outcome)
    }
}

impl ReplayEffect {
    fn tell(&mut self, before: usize, league: &League, lines: &[LeagueLine]) {
        let new = &league.corrections().all()[before..];
        self.void = new.iter().map(Correction::games_in_words).collect();
        let replayed = lines.iter().filter_map(|line| match line {
            LeagueLine::Replay(line) => Some(line.games_in_words()),
            _ => None,
        });
        self.replayed = replayed.collect();
    }
}

/// Has games played again: all that the request names, or none if it fails. Returns what was done, and the league.
///
/// # Errors
///
/// [`Failure::Usage`] for rounds that are not over or of a stage, games that were not played, and those that have a
/// replay or whose bots do not all play.
pub fn replay(
    folder: &LeagueFolder,
    request: &CorrectionRequest<'_>,
) -> Result<(ReplayEffect, Arc<League>), Failure> {
    let (mut outcome, mut lines, mut before) = (ReplayEffect::default(), Vec::new(), 0);
    let league = folder.append(|league| {
        before = league.corrections().all().len();
        lines = request.replay_lines(league, &mut outcome)?;
        Ok::<_, Failure>(lines.clone())
    })?;
    outcome.tell(before, &league, &lines);
    let reason = reason_in_line(request.reason)?;
    for games in &outcome.void {
        let (games, reason) = (games.clone(), reason.clone());
        events::add(folder, LeagueEvent::Void { games, reason });
    }
    for games in &outcome.replayed {
        let (games, reason) = (games.clone(), reason.clone());
        events::add(folder, LeagueEvent::Replay { games, reason });
    }
    Ok((outcome, league))
}

fn finished(league: &League, number: u64) -> Result<&Round, Failure> {
    let over = league.rounds().iter().filter(|round| round.over.is_some()).count();
    let found = league.rounds().iter().find(|round| round.line.round == number);
    match found.filter(|round| round.over.is_some()) {
        None if over == 0 => Err(Failure::Usage("no finished rounds".to_owned())),
        None => {
            let last = over - 1;
            Err(Failure::Usage(format!("round {number} is not finished: rounds are 0 to {last}")))
        }
        Some(round) if round.line.stage.is_some() => Err(Failure::Usage(format!(
            "round {number} belongs to a stage: make it void with `arbiter league void`, and the stage replays it"
        ))),
        Some(round) => Ok(round),
    }
}

/// The games that are to be replayed, in whole deals. Tables with bots that play no more are left out, and noted.
fn games(
    league: &League,
    round: &Round,
    scope: &VoidScope,
    bot: Option<&BotVersion>,
    left_out: &mut BTreeSet<(u64, String, BotVersion)>,
) -> Result<BTreeSet<u64>, Failure> {
    let (line, seats) = (&round.line, league.seats());
    let number = line.round;
    let usage = |problem: String| Err(Failure::Usage(problem));
    let all = line.games(seats);
    if let Some(game) = scope.games.last().filter(|game| **game >= all) {
        return usage(format!("no game {game} in round {number}: games are 0 to {}", all - 1));
    }
    if let Some(bot) = bot.filter(|bot| !line.bots.contains(bot)) {
        return usage(format!("{bot} did not play in round {number}"));
    }
    let aborted = round.over.as_ref().filter(|over| over.broken.is_some());
    let played = aborted.map_or(all, |over| over.games.min(all));
    let mut found = BTreeSet::new();
    let mut has_replay = None;
    for table in 0..line.tables.len() {
        let bots = line.bots_of(table);
        if bot.is_some_and(|bot| !bots.contains(&bot)) {
            continue;
        }
        for deal in 0..line.deals {
            let games = line.games_of(deal, table, seats);
            let is_meant = |game: u64| scope.games.is_empty() || scope.games.contains(&game);
            if games.start >= played || !games.clone().any(is_meant) {
                continue;
            }
            if league.has_replay(number, games.start) {
                has_replay = Some(games.start);
            } else if let Some(gone) = bots.iter().find(|bot| !league.is_active(bot)) {
                let names = bots.iter().map(ToString::to_string).collect::<Vec<_>>();
                left_out.insert((number, names.join(", "), (*gone).clone()));
            } else {
                found.extend(games);
            }
        }
    }
    if !found.is_empty() {
        return Ok(found);
    }
    if let Some(game) = has_replay {
        return usage(format!(
            "game {game} of round {number} already has a replay: see `arbiter league corrections`"
        ));
    }
    match left_out.iter().find(|(of, ..)| *of == number) {
        Some((_, bots, gone)) => {
            usage(format!("{bots} in round {number} cannot be replayed: {gone} no longer plays"))
        }
        None => usage(format!("no such games were played in round {number}")),
    }
}

/// The lines by which these games of a round become void, as far as they count, and are replayed.
fn lines_for(
    league: &League,
    round: &RoundLine,
    games: BTreeSet<u64>,
    reason: &str,
) -> Vec<LeagueLine> {
    let (number, seats) = (round.round, league.seats());
    let counts = |game: &&u64| {
        let bots = round.bots_of(round.place_of(**game, seats).1);
        league.corrections().of_game(number, **game, &bots).is_none()
    };
    let counting: Vec<u64> = games.iter().filter(counts).copied().collect();
    let all = round.games(seats);
    // All games of a round need not be listed.
    let listed = |games: Vec<u64>| if games.len() as u64 == all { Vec::new() } else { games };
    let reason = reason.to_owned();
    let void = (!counting.is_empty()).then(|| {
        let (games, reason) = (listed(counting), reason.clone());
        LeagueLine::Void(VoidLine { round: Some(number), games, bot: None, reason })
    });
    let games = listed(games.into_iter().collect());
    let replay = LeagueLine::Replay(ReplayLine { round: number, games, reason });
    void.into_iter().chain([replay]).collect()
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RoundMarks {
    /// The corrections that say more than the marks of games, in sentences: they were taken back, or wait for replays.
    pub corrections: Vec<String>,
    /// The games with a mark, in order.
    pub games: Vec<MarkedGames>,
}

/// The first and the last of some games in a row, and their mark.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MarkedGames(pub u64, pub u64, pub String);

impl RoundMarks {
    pub fn of_round(league: &League, round: &Round) -> RoundMarks {
        let corrections = league.corrections();
        let says_more = |it: &&Correction| it.reinstated.is_some() || it.replays.waiting > 0;
        let sentences = corrections.of_round(&round.line).filter(says_more);
        let mut marks = RoundMarks {
            corrections: sentences.map(Correction::in_words).collect(),
            games: Vec::new(),
        };
        if corrections.of_round(&round.line).next().is_none() && !round.line.is_replay() {
            return marks;
        }
        for game in 0..round.line.games(league.seats()) {
            let Some(text) = of_game(league, round, game) else { continue };
            match marks.games.last_mut() {
                Some(MarkedGames(_, last, of)) if *last + 1 == game && *of == text => *last = game,
                _ => marks.games.push(MarkedGames(game, game, text)),
            }
        }
        marks
    }

    /// Returns true if there is nothing to say.
    pub fn is_empty(&self) -> bool {
        self.corrections.is_empty() && self.games.is_empty()
    }
}

/// Games in a row with the same marks, for programs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GameMarks {
    /// The first game.
    first: u64,
    /// The last game.
    last: u64,
    /// Reason why they are void.
    void: Option<String>,
    /// The first of the games in another round that stand for them, in order.
    replayed: Option<RoundGame>,
    /// The first of the void games of another round for which they stand, in order.
    replays: Option<RoundGame>,
    /// True if a bot forfeited and the machine may have caused it.
    suspect: bool,
}

impl GameMarks {
    /// Reads the marks of a round.
    ///
    /// # Errors
    ///
    /// [`IndexError`] if the index cannot be read.
    pub fn read(
        league: &League,
        round: &Round,
        index: &LeagueIndex,
    ) -> Result<Vec<GameMarks>, IndexError> {
        let bots: Vec<Entrant> =
            round.line.bots.iter().filter_map(|bot| league.entrant(bot)).collect();
        let suspect = index.suspect_games(round.line.round, &bots)?;
        Ok(GameMarks::of_round(league, round, &suspect))
    }

    fn of_round(league: &League, round: &Round, suspect: &[u64]) -> Vec<GameMarks> {
        let is_corrected = league.corrections().of_round(&round.line).next().is_some();
        let games: Vec<u64> = match is_corrected || round.line.is_replay() {
            true => (0..round.line.games(league.seats())).collect(),
            false => suspect.to_vec(),
        };
        let mut all: Vec<GameMarks> = Vec::new();
        for game in games {
            let marks =
                GameMarks::of_game(league, round, game, suspect.binary_search(&game).is_ok());
            let Some(marks) = marks else { continue };
            match all.last_mut() {
                Some(before) if before.continues_with(&marks) => before.last = game,
                _ => all.push(marks),
            }
        }
        all
    }

    fn of_game(league: &League, round: &Round, game: u64, suspect: bool) -> Option<GameMarks> {
        let (number, seats) = (round.line.round, league.seats());
        let bots = round.line.bots_of(round.line.place_of(game, seats).1);
        let void = league.corrections().of_game(number, game, &bots);
        let other = |it: ReplayedGame| RoundGame { round: it.round, game: it.game };
        let marks = GameMarks {
            first: game,
            last: game,
            void: void.map(|it| it.line.reason.clone()),
            replayed: league.replay_of(number, game).map(other),
            replays: league.replayed_by(number, game).map(other),
            suspect,
        };
        let has_any = marks.void.is_some() || marks.replayed.is_some() || marks.replays.is_some();
        (has_any || suspect).then_some(marks)
    }

    /// Returns true if the marks of the next game say the same.
    fn continues_with(&self, next: &GameMarks) -> bool {
        let many = next.first - self.first;
        let in_order = |here: Option<RoundGame>, there: Option<RoundGame>| {
            here.map(|it| RoundGame { game: it.game + many, ..it }) == there
        };
        self.last + 1 == next.first
            && (&self.void, self.suspect) == (&next.void, next.suspect)
            && in_order(self.replayed, next.replayed)
            && in_order(self.replays, next.replays)
    }
}

fn of_game(league: &League, round: &Round, game: u64) -> Option<String> {
    let (number, seats) = (round.line.round, league.seats());
    let bots = round.line.bots_of(round.line.place_of(game, seats).1);
    let void = league.corrections().of_game(number, game, &bots);
    let void = void.map(|it| format!("void ({})", printable(&it.line.reason)));
    let replayed = league.replay_of(number, game);
    let replayed = replayed.map(|it| format!("replayed as game {} of round {}", it.game, it.round));
    let stands_for = league.replayed_by(number, game).map(|it| {
        let reason = printable(&it.reason);
        format!("replays game {} of round {} ({reason})", it.game, it.round)
    });
    let all: Vec<String> = [stands_for, void, replayed].into_iter().flatten().collect();
    (!all.is_empty()).then(|| all.join(", "))
}
