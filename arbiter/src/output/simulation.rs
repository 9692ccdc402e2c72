//! The statistics of a simulation as a table for people and as JSON for programs.

use std::io;

use rules::{Score, Seed};
use serde::{Serialize, Serializer};
use simulation::{BuiltInPlayer, SeatOrder, Simulation};

use contest::playing::simulated::{PlayerStatistics, SimulationStatistics};
use standings::Mean;
use text::columns::{aligned, with_interval};
use text::counted;

/// A simulation and its result.
#[derive(Debug, Clone, Copy)]
pub struct SimulationReport<'a> {
    /// The games that were played.
    pub simulation: &'a Simulation,
    /// The commands of the players, as they were typed.
    pub commands: &'a [&'a str],
    /// The result.
    pub statistics: &'a SimulationStatistics,
}

impl SimulationReport<'_> {
    /// Lines that describe the games, and a table with a row for each player.
    pub fn table(&self) -> String {
        let Simulation { kind, options, order, deals, seed, .. } = self.simulation;
        let played = match order {
            SeatOrder::Fixed => "seats as listed",
            SeatOrder::Reversed => "seats reversed",
            SeatOrder::Rotate => "every seat rotation",
            SeatOrder::Random => "random seating",
        };
        let (games, deals) =
            (counted(self.simulation.games(), "game", "games"), counted(*deals, "deal", "deals"));
        let mut text = format!("{kind} {options}: {games}, {deals}, {played}\nseed {seed}\n\n");
        let counts = kind.about().counts.iter();
        let heading = ["player", "last", "points", "won", "drawn", "lost", "points per game"];
        let heading = heading.iter().chain(&["win share"]).chain(counts);
        let mut rows = vec![heading.map(ToString::to_string).collect()];
        let players = self.simulation.players.iter().zip(self.statistics.players());
        rows.extend(players.map(|(player, of)| row(&player.name, of)));
        text.push_str(&aligned(&rows, 1));
        text.push_str("\n± 95% confidence intervals over deals\n");
        let means = self.statistics.players().iter().flat_map(|of| [of.mean_points, of.win_share]);
        if means.map(|mean| mean.plus_minus()).any(|half| half.is_none()) {
            text.push_str("no interval: all deals had the same result\n");
        }
        text.push_str(&self.cuts());
        text
    }

    /// A line for each player with moves that a time limit cut short.
    fn cuts(&self) -> String {
        let players = self.simulation.players.iter().zip(self.statistics.players());
        let cut = players.filter(|(_, of)| of.cuts > 0);
        let line = |(player, of): (&BuiltInPlayer, &PlayerStatistics)| {
            let moves = counted(of.cuts, "move", "moves");
            format!(
                "{}: hit its time limit in {moves}; results might not be reproducible\n",
                player.name
            )
        };
        cut.map(line).collect()
    }

    /// A line of JSON.
    pub fn json(&self) -> io::Result<String> {
        let Simulation { kind, options, players, order, deals, seed } = self.simulation;
        let counted = kind.about().counts;
        let players = players.iter().zip(self.commands).zip(self.statistics.players());
        let report = JsonSimulationReport {
            game: kind.name(),
            options,
            deals: *deals,
            order: order.name(),
            games: self.simulation.games(),
            seed,
            players: players
                .map(|((player, command), of)| JsonPlayer {
                    name: &player.name,
                    command,
                    last: of.last,
                    points: of.points,
                    won: of.won,
                    drawn: of.drawn,
                    lost: of.lost,
                    mean_points: of.mean_points.into(),
                    win_share: of.win_share.into(),
                    counts: counted.iter().copied().zip(of.counts.iter().copied()).collect(),
                    cuts: of.cuts,
                })
                .collect(),
        };
        Ok(serde_json::to_string(&report)?)
    }
}

#[derive(Serialize)]
struct JsonSimulationReport<'a> {
    game: &'a str,
    options: &'a str,
    deals: u64,
    order: &'a str,
    games: u64,
    seed: &'a Seed,
    players: Vec<JsonPlayer<'a>>,
}

#[derive(Serialize)]
struct JsonPlayer<'a> {
    name: &'a str,
    command: &'a str,
    last: Score,
    points: Score,
    won: u64,
    drawn: u64,
    lost: u64,
    mean_points: JsonMean,
    win_share: JsonMean,
    #[serde(serialize_with = "as_object")]
    counts: Vec<(&'a str, u64)>,
    /// The number of moves that a time limit cut short; runs can only repeat exactly if it is 0.
    cuts: u64,
}

#[derive(Serialize)]
struct JsonMean {
    mean: f64,
    plus_minus: Option<f64>,
}

impl From<Mean> for JsonMean {
    fn from(mean: Mean) -> JsonMean {
        JsonMean { mean: mean.mean(), plus_minus: mean.plus_minus() }
    }
}

/// Counts as an object, in the order of the game.
fn as_object<S: Serializer>(counts: &[(&str, u64)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(counts.iter().copied())
}

fn row(name: &str, of: &PlayerStatistics) -> Vec<String> {
    let share = with_interval(
        100.0 * of.win_share.mean(),
        "%",
        1,
        of.win_share.plus_minus().map(|half| 100.0 * half),
    );
    let mut row = vec![
        name.to_owned(),
        of.last.to_string(),
        of.points.decimal(),
        of.won.to_string(),
        of.drawn.to_string(),
        of.lost.to_string(),
        with_interval(of.mean_points.mean(), "", 2, of.mean_points.plus_minus()),
        share,
    ];
    row.extend(of.counts.iter().map(u64::to_string));
    row
}
