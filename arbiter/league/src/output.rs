//! A league in words and in lines of JSON.

use std::io::{self, Write};
use std::time::Duration;

use jiff::Timestamp;
use rules::{Digest, RulesId};
use serde::Serialize;
use serde_json::{Value, json};
use standings::Standings;
use text::columns::aligned;
use text::{counted, printable};

use crate::League;
use crate::calendar::{Calendar, CalendarTime, in_words};
use crate::correction::Correction;
use crate::line::{PairingReason, RoundEndLine, RoundLine};
use crate::replay_request::GameMarks;
use crate::stage::{self, Decider};
use crate::state::{ChoiceOrigin, LeaveReason, Membership, Round, RulesPeriod};

#[derive(Debug, Serialize)]
pub struct LeagueStatus {
    game: String,
    seats: usize,
    /// `running` or `not running`.
    state: &'static str,
    rounds: usize,
    games: u64,
    head: Digest,
    /// The rules of a custom game, the first ones first; empty for a game that is compiled in.
    rules: Vec<StatusRules>,
    /// The round that is not over, with its games so far.
    open: Option<OpenRound>,
    /// The stage that is not over.
    stage: Option<OpenStage>,
    /// The games that no longer count, and those that were reinstated.
    corrections: Vec<Value>,
    #[serde(skip)]
    corrected: Vec<String>,
    /// Participants who were treated differently.
    exceptions: Vec<Value>,
    #[serde(skip)]
    excepted: Vec<String>,
    /// The times of the calendar, the earliest first.
    calendar: Vec<CalendarTime>,
    /// Each of these times as text, with the time that is left.
    #[serde(skip)]
    times: Vec<String>,
    bots: Vec<StatusBot>,
}

#[derive(Debug, Serialize)]
struct StatusRules {
    round: u64,
    digest: Digest,
    /// None for the first ones.
    reason: Option<String>,
}

#[derive(Debug, Serialize)]
struct OpenRound {
    round: u64,
    games: u64,
    of: u64,
}

#[derive(Debug, Serialize)]
struct OpenStage {
    stage: u64,
    name: String,
}

#[derive(Debug, Serialize)]
struct StatusBot {
    name: String,
    version: u32,
    state: Membership,
    /// Why it left, if there is a reason.
    left: Option<LeaveReason>,
    /// Its choice, if it plays because it was chosen.
    chosen: Option<ChoiceOrigin>,
    command: String,
}

impl LeagueStatus {
    /// Returns the state of a league at this time, with the number of played games of its open round.
    pub fn new(
        league: &League,
        calendar: &Calendar,
        now: Timestamp,
        played: Option<u64>,
        is_running: bool,
    ) -> LeagueStatus {
        let time = |named: &CalendarTime| {
            let (at, until) = (calendar.time_text(named.at), in_words(now, named.at));
            format!("{}: {at}, {until}", named.name)
        };
        let bots = league.members().iter().map(|member| StatusBot {
            name: member.entry.bot.bot.clone(),
            version: member.entry.bot.version,
            state: member.membership,
            left: member.left.clone(),
            chosen: member.chosen.clone(),
            command: member.entry.command.clone(),
        });
        let open = league.open_round().map(|round| OpenRound {
            round: round.line.round,
            games: played.unwrap_or_default(),
            of: round.line.games(league.seats()),
        });
        let first = |id: RulesId| StatusRules { round: 0, digest: id.digest, reason: None };
        let later = league.later_rules().iter().map(|RulesPeriod { round, new }| StatusRules {
            round: *round,
            digest: new.rules.id.digest,
            reason: Some(new.reason.clone()),
        });
        LeagueStatus {
            rules: league.first_rules().map(first).into_iter().chain(later).collect(),
            game: league.kind().name().to_owned(),
            seats: league.seats(),
            state: if is_running { "running" } else { "not running" },
            rounds: league.rounds().iter().filter(|round| round.over.is_some()).count(),
            games: league.games(),
            head: league.head(),
            open,
            stage: league
                .open_stage()
                .map(|stage| OpenStage { stage: stage.line.stage, name: stage.line.name.clone() }),
            corrections: league.corrections().views().collect(),
            corrected: league.corrections().all().iter().map(Correction::in_words).collect(),
            exceptions: league.exceptions().views().collect(),
            excepted: league.exceptions().all().iter().map(|it| it.in_words(calendar)).collect(),
            times: calendar.times().iter().map(time).collect(),
            calendar: calendar.times(),
            bots: bots.collect(),
        }
    }
}

/// Writes the state of a league as text.
pub fn tell_status(status: &LeagueStatus, out: &mut dyn Write) -> io::Result<()> {
    let (rounds, games) =
        (counted(status.rounds, "round", "rounds"), counted(status.games, "game", "games"));
    writeln!(
        out,
        "{} with {} seats, {}: {rounds}, {games}",
        status.game, status.seats, status.state
    )?;
    for StatusRules { round, digest, reason } in &status.rules {
        if let Some(reason) = reason {
            writeln!(out, "rules since round {round}: {digest}, {}", printable(reason))?;
        }
    }
    for corrected in &status.corrected {
        writeln!(out, "{corrected}")?;
    }
    if let Some(OpenRound { round, games, of }) = &status.open {
        writeln!(out, "round {round} in progress: {games} of {of} games")?;
    }
    if let Some(OpenStage { stage, name }) = &status.stage {
        writeln!(out, "stage {stage} ({name}) in progress")?;
    }
    writeln!(out, "head {}", status.head)?;
    if !status.times.is_empty() || !status.excepted.is_empty() {
        writeln!(out)?;
        let mut lines = status.times.iter().chain(&status.excepted);
        lines.try_for_each(|line| writeln!(out, "{line}"))?;
    }
    let active = status.bots.iter().filter(|bot| bot.state == Membership::Active).count();
    writeln!(out, "\n{} active", counted(active, "bot", "bots"))?;
    if status.bots.is_empty() {
        return Ok(());
    }
    let state = |bot: &StatusBot| match &bot.left {
        Some(left) if left.disqualified => format!("disqualified: {}", printable(&left.reason)),
        Some(left) => format!("{}: {}", bot.state, printable(&left.reason)),
        None => match &bot.chosen {
            Some(choice) => format!("{}, {}", bot.state, choice.in_words()),
            None => bot.state.to_string(),
        },
    };
    let heading = ["bot", "state", "command"].map(str::to_owned).to_vec();
    let row = |bot: &StatusBot| {
        vec![format!("{}@{}", bot.name, bot.version), state(bot), bot.command.clone()]
    };
    let table: Vec<Vec<String>> =
        [heading].into_iter().chain(status.bots.iter().map(row)).collect();
    write!(out, "\n{}", aligned(&table, 3))
}

/// Writes the state of a league as a line of JSON.
pub fn write_status(status: &LeagueStatus, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", json!({ "status": status }))
}

/// Says why the bots of a table meet.
pub fn reason(line: &RoundLine, why: &PairingReason) -> String {
    let name = |place: usize| line.bots.get(place).map(ToString::to_string).unwrap_or_default();
    match *why {
        PairingReason::New(bot) => format!("{} is new", name(bot)),
        PairingReason::Behind(bot) => {
            format!(
                "{} has played fewer than half as many deals as an equally uncertain bot",
                name(bot)
            )
        }
        PairingReason::Uncertain { pair: [one, other], probability } => {
            let percent = probability * 100.0;
            let (one, other) = (name(one), name(other));
            format!("undecided pair: {one} and {other}, {percent:.0}% chance of the wrong order")
        }
        PairingReason::LeastMet { pair: [one, other], deals } => {
            let deals = counted(deals, "deal", "deals");
            format!("fewest meetings: {} and {}, {deals} so far", name(one), name(other))
        }
        PairingReason::Stage(of) => stage::output::match_name(of),
        PairingReason::Replay { round, game } => {
            format!("replays void games of round {round}, from game {game} on")
        }
        PairingReason::Decider(Decider { r#match, pair }) => {
            format!("{} was tied: extra deal {pair}", stage::output::match_name(r#match))
        }
    }
}

/// Writes the tables of a round as text.
pub fn tell_pairings(round: &Round, out: &mut dyn Write) -> io::Result<()> {
    let line = &round.line;
    let (tables, deals) =
        (counted(line.tables.len(), "table", "tables"), counted(line.deals, "deal", "deals"));
    let over = match &round.over {
        Some(RoundEndLine { games, broken: Some(broken), .. }) => {
            let games = counted(*games, "game", "games");
            format!("aborted after {games}: {}", printable(&broken.why))
        }
        Some(over) => format!("{} played", counted(over.games, "game", "games")),
        None => "in progress".to_owned(),
    };
    writeln!(out, "round {}: {tables}, {deals} each in every seat rotation, {over}\n", line.round)?;
    let heading = ["table", "reason"].map(str::to_owned).to_vec();
    let names = |bots: &[usize]| {
        let names = bots.iter().filter_map(|place| line.bots.get(*place));
        names.map(ToString::to_string).collect::<Vec<_>>().join(", ")
    };
    let rows = line.tables.iter().map(|table| vec![names(&table.bots), reason(line, &table.why)]);
    let table: Vec<Vec<String>> = [heading].into_iter().chain(rows).collect();
    write!(out, "{}", aligned(&table, 2))
}

/// Writes the tables of a round as a line of JSON.
pub fn write_pairings(round: &Round, marks: &[GameMarks], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", json!({ "round": pairings(round, marks) }))
}

/// Returns a round as JSON: its line of the log, its rules, its end, and the marks of its games.
pub fn pairings(round: &Round, marks: &[GameMarks]) -> Value {
    let mut told = json!(round.line);
    told["marks"] = json!(marks);
    told["stage"] = json!(round.line.stage);
    told["rules"] = json!(round.rules.map(|id| id.digest));
    told["over"] = json!(round.over.as_ref().map(over_keys));
    told
}

pub fn round_over(line: &RoundLine, games: u64, time: Duration) -> String {
    let (games, bots, tables) = (
        counted(games, "game", "games"),
        counted(line.bots.len(), "bot", "bots"),
        counted(line.tables.len(), "table", "tables"),
    );
    format!("round {}: {games}, {bots}, {tables}, {:.1} s", line.round, time.as_secs_f64())
}

/// Writes the end of a round as a line of JSON.
pub fn write_over(over: &RoundEndLine, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", json!({ "over": over_keys(over) }))
}

/// Returns the end of a round with all keys, including those that a log leaves out.
fn over_keys(over: &RoundEndLine) -> Value {
    let RoundEndLine { round, games, head, broken, results } = over;
    json!({ "round": round, "games": games, "head": head, "broken": broken, "results": results })
}

/// Writes the standings after the last round as a line of JSON.
pub fn write_standings(standings: &Standings, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", json!({ "result": { "standings": standings } }))
}
