//! The games that the header of a log describes: a match or a tournament.

use std::collections::BTreeSet;

use bot::{is_person_name, is_player_name};
use rules::seed::dealt;
use rules::{Dialect, GameKind, GameRecord, GameTerms, PerSeat, Seed, TimeControl, replay};
use text::{counted, printable};

use crate::header::{CommittedSeed, FORMAT, Header, PlayerLine};
use crate::schedule::{Schedule, ScheduleLine, Seating};

/// A header that was found to make sense, with what follows from it.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    kind: GameKind,
    header: Header,
    schedule: Schedule,
}

impl Series {
    pub fn new(header: Header) -> Result<Series, String> {
        if header.format != FORMAT {
            return Err(format!("has format {}, expected {FORMAT}", header.format));
        }
        let kind = GameKind::of_log(&header.game, header.rules.as_ref())
            .map_err(|error| format!("names a game: {error}"))?;
        let seats = seats(&kind, &header)?;
        if header.rules.is_some_and(|line| line.seats != seats) {
            return Err(format!("has rules for a different number of seats, expected {seats}"));
        }
        let players = header.players.len();
        let schedule = match &header.tournament {
            None if players == seats => Schedule::rotation(header.games, seats),
            None => {
                let players = counted(players, "player", "players");
                return Err(format!("has {players} for {seats} seats"));
            }
            Some(line) => {
                let key = header.commitment.bytes();
                let schedule = Schedule::tournament(&line.schedule, seats, players, key)
                    .map_err(|problem| format!("has an invalid schedule: {problem}"))?;
                check_tables(&line.schedule, seats, players)?;
                if line.sprt.is_some() && (seats, players) != (2, 2) {
                    return Err(format!(
                        "has a sequential test of {players} players for {seats} seats, expected 2"
                    ));
                }
                schedule
            }
        };
        if schedule.own_games() != header.games {
            let own = schedule.own_games();
            let games = counted(header.games, "game", "games");
            return Err(format!("has {games}, but its schedule has {own}"));
        }
        check_names(&header)?;
        check_decided(&header)?;
        Ok(Series { kind, header, schedule })
    }

    pub fn kind(&self) -> &GameKind {
        &self.kind
    }

    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Its name in a sentence: a match or a tournament.
    pub fn called(&self) -> &'static str {
        match self.header.tournament {
            Some(_) => "tournament",
            None => "match",
        }
    }

    pub fn seats(&self) -> usize {
        self.schedule.seats()
    }

    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// The players at the seats of a game, and its deal.
    pub fn seating(&self, game: u64) -> Seating {
        self.schedule.seating(game)
    }

    pub fn players(&self, game: u64) -> PerSeat<&PlayerLine> {
        self.seating(game).players.map(|_, place| &self.header.players[*place])
    }

    pub fn times(&self, game: u64) -> PerSeat<TimeControl> {
        self.players(game).map(|_, player| player.time())
    }

    pub fn dialects(&self, game: u64) -> PerSeat<Dialect> {
        self.players(game).map(|_, player| player.dialect)
    }

    /// The seed that all chance of these games follows from.
    pub fn dealing(&self, committed: &CommittedSeed) -> Seed {
        committed.dealing(&self.header.entropy)
    }

    /// The terms of one attempt at a game, both counted from 0.
    pub fn terms(&self, game: u64, attempt: u32, seed: &Seed) -> GameTerms {
        GameTerms {
            id: seed.name(game),
            times: self.times(game),
            retries: self.header.retries,
            dialects: self.dialects(game),
            bot_seeds: seed.bots(dealt(self.seating(game).deal, attempt)),
        }
    }

    /// Returns true if the last line of the log reveals the seed.
    pub fn reveals_seed(&self) -> bool {
        let line = self.header.tournament.as_ref();
        line.is_none_or(|line| line.schedule.shard.is_none())
    }

    /// Everything that a replay of a game needs; with the seed, every draw is made again.
    pub fn setup<'a>(
        &'a self,
        game: &GameRecord,
        seed: Option<&'a Seed>,
    ) -> replay::ReplaySetup<'a> {
        replay::ReplaySetup {
            kind: self.kind.clone(),
            options: &self.header.options,
            times: self.times(game.game),
            dialects: self.dialects(game.game),
            retries: self.header.retries,
            seed,
        }
    }
}

/// The number of seats the options say there are, once they are spelt as they are written.
fn seats(kind: &GameKind, header: &Header) -> Result<usize, String> {
    let options = &header.options;
    let expected = kind.check_options(options).map_err(|error| format!("has options: {error}"))?;
    if *options != expected {
        return Err(format!("has options `{options}`, expected `{expected}`"));
    }
    kind.seats(options).map_err(|error| format!("has options: {error}"))
}

/// Checks that tables are drawn only if not every one is there: a number that changes no game would
/// prove nothing.
fn check_tables(line: &ScheduleLine, seats: usize, players: usize) -> Result<(), String> {
    match line.tables {
        Some(tables) if line.spelt(seats, players).tables.is_none() => Err(format!(
            "draws {tables} tables for each deal, expected fewer than the number of possible tables, or no `tables`"
        )),
        Some(_) | None => Ok(()),
    }
}

/// Checks that only a shard of a later block knows what was decided before, and of no others than
/// its players.
fn check_decided(header: &Header) -> Result<(), String> {
    let Some(line) = &header.tournament else { return Ok(()) };
    let is_later = line.schedule.block.is_some_and(|block| block.number > 0);
    let Some(decided) = &line.decided else { return Ok(()) };
    if line.schedule.shard.is_none() || !is_later {
        let problem = "is decided in part, expected that of a shard of a later block only";
        return Err(problem.to_owned());
    }
    match decided.out.iter().find(|name| header.players.iter().all(|it| it.name != **name)) {
        None => Ok(()),
        Some(name) => {
            let name: String = name.chars().take(40).collect();
            Err(format!("leaves out `{}`, which is not one of its players", printable(&name)))
        }
    }
}

/// Checks that every player has a name, and no two the same.
fn check_names(header: &Header) -> Result<(), String> {
    let mut seen = BTreeSet::new();
    for player in &header.players {
        let name = &player.name;
        let shown: String = name.chars().take(40).collect();
        let is_one = match player.is_person() {
            true => is_person_name(name),
            false => is_player_name(name),
        };
        if !is_one {
            return Err(format!(
                "has a player called `{}`, which is not a valid name",
                printable(&shown)
            ));
        }
        if !seen.insert(name) {
            return Err(format!("has two players called `{shown}`"));
        }
    }
    Ok(())
}
