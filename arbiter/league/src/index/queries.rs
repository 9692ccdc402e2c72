//! Queries of the index.

use rules::Verdict;
use rusqlite::{OptionalExtension, Row, params};
use serde::Serialize;

use super::LeagueIndex;
use super::schema::to_i64;
use crate::state::League;
use crate::version::BotVersion;
use standings::Entrant;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct RoundGame {
    /// The number of the round, from 0.
    pub round: u64,
    /// The number of the game in it, from 0.
    pub game: u64,
}

impl RoundGame {
    /// Behind all games.
    const LAST: RoundGame = RoundGame { round: i64::MAX as u64, game: i64::MAX as u64 };
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct ForfeitedGame {
    #[serde(flatten)]
    pub game: RoundGame,
    /// The seat of the bot, from 0.
    pub seat: usize,
    pub fault: Verdict,
    /// True if the machine may have caused it.
    #[serde(rename = "suspect", skip_serializing_if = "std::ops::Not::not")]
    pub is_suspect: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct GameSeat {
    #[serde(flatten)]
    pub game: RoundGame,
    #[serde(skip)]
    pub bot: Entrant,
    /// The seat, from 0.
    pub seat: usize,
    /// Its place in the game, 1 for the best.
    pub place: u64,
    /// Its fault, if it forfeited the game.
    pub fault: Option<Verdict>,
    /// True if the machine may have caused the fault.
    #[serde(rename = "suspect", skip_serializing_if = "std::ops::Not::not")]
    pub is_suspect: bool,
    /// True if the game is void by a correction.
    #[serde(rename = "void", skip_serializing_if = "std::ops::Not::not")]
    pub is_void: bool,
}

/// A game of a bot, as it ended for it and for another bot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeadToHeadGame {
    pub game: RoundGame,
    /// The places of the bot and of the other one, 1 for the best.
    pub places: [u64; 2],
    /// True if the bot forfeited the game.
    pub is_forfeited: bool,
}

/// The rating of a bot after a round that it played in.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct RatingAfterRound {
    /// The number of the round, from 0.
    pub round: u64,
    /// Number of games of the league that counted by then.
    pub games: u64,
    /// The rating, from all games by then.
    pub rating: f64,
}

impl LeagueIndex {
    /// Returns the games in which a bot did worse than another, the last ones first, at most this number.
    pub fn lost_games(
        &self,
        bot: Entrant,
        to: Entrant,
        most: usize,
    ) -> rusqlite::Result<Vec<RoundGame>> {
        let mut games = self.connection.prepare(
            "SELECT own.round, own.game FROM seat own \
             JOIN seat other ON other.bot = ? AND other.round = own.round AND other.game = own.game \
             WHERE own.bot = ? AND own.place > other.place AND own.void = 0 \
             ORDER BY own.round DESC, own.game DESC LIMIT ?",
        )?;
        let rows = games.query_map(params![to.0 as i64, bot.0 as i64, most as i64], |row| {
            Ok(RoundGame { round: number(row.get(0)?), game: number(row.get(1)?) })
        })?;
        rows.collect()
    }

    /// Returns the games of a bot with another one that count, the last ones first, at most this number.
    pub fn meetings(
        &self,
        bot: Entrant,
        other: Entrant,
        most: usize,
    ) -> rusqlite::Result<Vec<HeadToHeadGame>> {
        let mut games = self.connection.prepare(
            "SELECT own.round, own.game, own.place, other.place, own.fault IS NOT NULL FROM seat own \
             JOIN seat other ON other.bot = ? AND other.round = own.round AND other.game = own.game \
             WHERE own.bot = ? AND own.void = 0 ORDER BY own.round DESC, own.game DESC LIMIT ?",
        )?;
        let rows = games.query_map(params![other.0 as i64, bot.0 as i64, most as i64], |row| {
            Ok(HeadToHeadGame {
                game: RoundGame { round: number(row.get(0)?), game: number(row.get(1)?) },
                places: [number(row.get(2)?), number(row.get(3)?)],
                is_forfeited: row.get(4)?,
            })
        })?;
        rows.collect()
    }

    /// Returns the games that a bot forfeited before one, or in all games, the last ones first, at most this number.
    pub fn faults(
        &self,
        bot: Entrant,
        before: Option<RoundGame>,
        most: usize,
    ) -> rusqlite::Result<Vec<ForfeitedGame>> {
        let before = before.unwrap_or(RoundGame::LAST);
        let mut games = self.connection.prepare(
            "SELECT round, game, seat, fault, suspect FROM seat WHERE bot = ? AND fault IS NOT NULL AND void = 0 AND (round, game) < (?, ?) \
             ORDER BY round DESC, game DESC LIMIT ?",
        )?;
        let (round, game) = (to_i64(before.round), to_i64(before.game));
        let rows = games.query_map(params![bot.0 as i64, round, game, most as i64], |row| {
            let game = RoundGame { round: number(row.get(0)?), game: number(row.get(1)?) };
            let (seat, fault): (i64, String) = (row.get(2)?, row.get(3)?);
            let seat = usize::try_from(seat).unwrap_or_default();
            let is_suspect = row.get(4)?;
            Ok(fault.parse().ok().map(|fault| ForfeitedGame { game, seat, fault, is_suspect }))
        })?;
        Ok(rows.collect::<rusqlite::Result<Vec<_>>>()?.into_iter().flatten().collect())
    }

    /// Returns the number of games that a version of a bot forfeited, and in which the machine may have caused it.
    pub fn suspect_forfeits(&self, league: &League, bot: &BotVersion) -> u64 {
        let Some(Entrant(place)) = league.entrant(bot) else { return 0 };
        let count = "SELECT COUNT(*) FROM seat WHERE bot = ? AND fault IS NOT NULL AND void = 0 AND suspect = 1";
        let number = self.connection.query_row(count, [place as i64], |row| row.get::<_, i64>(0));
        number.map_or(0, |number| number.unsigned_abs())
    }

    /// Returns the suspect games of a round in which one of these bots forfeited, in order.
    pub(crate) fn suspect_games(&self, round: u64, bots: &[Entrant]) -> rusqlite::Result<Vec<u64>> {
        let mut games = self.connection.prepare(
            "SELECT DISTINCT game FROM seat WHERE bot IN (SELECT value FROM json_each(?)) AND round = ? \
             AND suspect = 1 ORDER BY game",
        )?;
        let rows =
            games.query_map(params![listed(bots), to_i64(round)], |row| row.get::<_, i64>(0))?;
        Ok(rows.collect::<rusqlite::Result<Vec<_>>>()?.into_iter().map(number).collect())
    }

    /// Returns the seats of these bots in games before one, or in all games, the last ones first, at most this number.
    pub fn seats(
        &self,
        bots: &[Entrant],
        before: Option<RoundGame>,
        most: usize,
    ) -> rusqlite::Result<Vec<GameSeat>> {
        let before = before.unwrap_or(RoundGame::LAST);
        let mut seats = self.connection.prepare(
            "SELECT bot, round, game, seat, place, fault, void, suspect FROM seat \
             WHERE bot IN (SELECT value FROM json_each(?)) AND (round, game) < (?, ?) \
             ORDER BY round DESC, game DESC LIMIT ?",
        )?;
        let (round, game) = (to_i64(before.round), to_i64(before.game));
        let rows = seats.query_map(params![listed(bots), round, game, most as i64], seat)?;
        rows.collect()
    }

    /// Returns the seats of a game, in order; `bots` are those of its round.
    pub fn seats_of(&self, game: RoundGame, bots: &[Entrant]) -> rusqlite::Result<Vec<GameSeat>> {
        let mut seats = self.connection.prepare(
            "SELECT bot, round, game, seat, place, fault, void, suspect FROM seat \
             WHERE bot IN (SELECT value FROM json_each(?)) AND round = ? AND game = ? ORDER BY seat",
        )?;
        let rows =
            seats.query_map(params![listed(bots), to_i64(game.round), to_i64(game.game)], seat)?;
        rows.collect()
    }

    /// Returns the seats of these bots in a round, in the order of its games.
    pub fn round_seats(&self, bots: &[Entrant], round: u64) -> rusqlite::Result<Vec<GameSeat>> {
        let mut seats = self.connection.prepare(
            "SELECT bot, round, game, seat, place, fault, void, suspect FROM seat \
             WHERE bot IN (SELECT value FROM json_each(?)) AND round = ? ORDER BY game, seat",
        )?;
        let rows = seats.query_map(params![listed(bots), to_i64(round)], seat)?;
        rows.collect()
    }

    /// Returns the rating of each of these bots after the rounds before one; none for a bot without games by then.
    pub fn ratings_before(
        &self,
        round: u64,
        bots: &[Entrant],
    ) -> rusqlite::Result<Vec<Option<f64>>> {
        let mut rating = self.connection.prepare(
            "SELECT rating FROM rating WHERE bot = ? AND round < ? ORDER BY round DESC LIMIT 1",
        )?;
        let of_bot = |bot: &Entrant| {
            rating.query_row(params![bot.0 as i64, to_i64(round)], |row| row.get(0)).optional()
        };
        bots.iter().map(of_bot).collect()
    }

    /// Returns the ratings of a bot after each of its rounds, in order.
    pub fn ratings(&self, bot: Entrant) -> rusqlite::Result<Vec<RatingAfterRound>> {
        let mut ratings = self.connection.prepare(
            "SELECT round, rating, played FROM rating JOIN round USING (round) WHERE bot = ? \
             ORDER BY round",
        )?;
        let rows = ratings.query_map(params![bot.0 as i64], |row| {
            let rating = row.get(1)?;
            Ok(RatingAfterRound { round: number(row.get(0)?), games: number(row.get(2)?), rating })
        })?;
        rows.collect()
    }
}

/// Returns bots as an array of JSON, as a query takes it.
fn listed(bots: &[Entrant]) -> String {
    let places: Vec<String> = bots.iter().map(|bot| bot.0.to_string()).collect();
    format!("[{}]", places.join(","))
}

fn seat(row: &Row<'_>) -> rusqlite::Result<GameSeat> {
    let fault: Option<String> = row.get(5)?;
    Ok(GameSeat {
        bot: Entrant(usize::try_from(number(row.get(0)?)).unwrap_or(usize::MAX)),
        game: RoundGame { round: number(row.get(1)?), game: number(row.get(2)?) },
        seat: usize::try_from(number(row.get(3)?)).unwrap_or(usize::MAX),
        place: number(row.get(4)?),
        fault: fault.and_then(|fault| fault.parse().ok()),
        is_void: row.get(6)?,
        is_suspect: row.get(7)?,
    })
}

/// Converts a number that is never negative in the database.
fn number(number: i64) -> u64 {
    u64::try_from(number).unwrap_or_default()
}
