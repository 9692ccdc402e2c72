//! How the games of a league are played: what its `league.toml` says.

use std::time::Duration;

use rules::GameKind;

use crate::league::rounds::RoundSize;
use crate::league::state::League;
use crate::tournament::plan::Settings;
use crate::tournament::plan_file::{self, BadPlanFile, LeagueOutline};
use conditions::bot::build;

/// How the games of a league are played from the next round on.
#[derive(Debug, Clone)]
pub struct LeagueSettings {
    /// The game.
    pub kind: GameKind,
    /// How it is played; the schedule and the seed are those of no round.
    pub settings: Settings,
    /// How large rounds are.
    pub size: RoundSize,
    /// How long the build of a bot may take.
    pub build_time: Duration,
}

impl LeagueSettings {
    /// Reads a `league.toml`.
    ///
    /// # Errors
    ///
    /// [`BadPlanFile`], with the line or the key that is to blame.
    pub fn read(text: &str) -> Result<LeagueSettings, BadPlanFile> {
        let LeagueOutline { kind, settings, rounds, build_time } = plan_file::of_league(text)?;
        let usual = RoundSize::DEFAULT;
        let size = RoundSize {
            deals: rounds.deals.unwrap_or(usual.deals),
            tables: rounds.tables.or(usual.tables),
        };
        let build_time = build_time.unwrap_or(build::TIME);
        Ok(LeagueSettings { kind, settings, size, build_time })
    }

    /// The same, where they fit a league that was founded.
    ///
    /// # Errors
    ///
    /// [`BadPlanFile`], if they are for another game, or for another number of seats.
    pub fn read_for(league: &League, text: &str) -> Result<LeagueSettings, BadPlanFile> {
        let settings = LeagueSettings::read(text)?;
        let wrong = |key, problem| Err(BadPlanFile::Value { key, problem });
        if settings.kind != *league.kind() {
            let (found, expected) = (&settings.kind, league.kind());
            return wrong("game", format!("{found}, expected {expected}, the game of the league"));
        }
        let seats = settings.seats();
        if seats != league.seats() {
            let expected = league.seats();
            let problem = format!("{seats} seats, expected {expected}, the seats of the league");
            return wrong("options", problem);
        }
        Ok(settings)
    }

    /// How many seats a game has.
    pub fn seats(&self) -> usize {
        // The options were checked when they were read.
        self.kind.seats(&self.settings.options).unwrap_or_default()
    }
}
