//! Stages in words and in lines of JSON.

use std::io::{self, Write};

use rules::Score;
use serde::Serialize;
use serde_json::{Value, json};
use text::columns::aligned;
use text::{counted, printable};

use crate::stage::{
    GroupFormat, Stage, StageFormat, StageMatch, StagePlace, StageRound, StageTable, TableResult,
};
use standings::pairing::knockout::Third;
use standings::pairing::tie_break;

/// Names a match.
pub fn match_name(of: StageMatch) -> String {
    match of {
        StageMatch::Swiss(round) => format!("round {round}"),
        StageMatch::Group(group) => format!("group {group}"),
        StageMatch::Knockout(2) => "final".to_owned(),
        StageMatch::Knockout(4) => "semifinal".to_owned(),
        StageMatch::Knockout(8) => "quarterfinal".to_owned(),
        StageMatch::Knockout(bots) => format!("round of {bots}"),
        StageMatch::Third => "third place".to_owned(),
    }
}

/// Describes a format.
pub fn format_name(format: &StageFormat) -> String {
    let third = |third: &Third| match third {
        Third::Played => " with a third-place match",
        Third::Shared => "",
    };
    match format {
        StageFormat::Swiss { rounds } => {
            format!("Swiss system, {}", counted(*rounds, "round", "rounds"))
        }
        StageFormat::Knockout { third: played } => format!("knockout{}", third(played)),
        StageFormat::Groups(GroupFormat { groups, first, third: played }) => format!(
            "{}, then a knockout of the top {first} of each{}",
            counted(groups.get(), "group", "groups"),
            third(played)
        ),
    }
}

/// The rank of a bot: one number, or the first and the last of those that are shared.
pub fn rank(StagePlace { rank: [first, last], .. }: &StagePlace) -> String {
    if first == last { first.to_string() } else { format!("{first}-{last}") }
}

/// The points of a bot in matches, one for a win.
pub fn match_points(half_points: u64) -> String {
    let half = if half_points.is_multiple_of(2) { "" } else { ".5" };
    format!("{}{half}", half_points / 2)
}

/// Says by what the bots of a stage are ranked.
pub fn ranked_by(stage: &Stage) -> Option<String> {
    let ties = tie_break::in_words(&stage.line.tie_breaks);
    match stage.line.format {
        StageFormat::Swiss { .. } => Some(format!("ranked by match points; {ties}")),
        StageFormat::Groups(_) => Some(format!("groups ranked by match points; {ties}")),
        StageFormat::Knockout { .. } => None,
    }
}

/// A row of a table of matches: the match, its bots, the games that each has won, their points, and the winner.
fn match_row(stage: &Stage, table: &StageTable, result: Option<&TableResult>) -> [String; 5] {
    let name = |seed: usize| stage.bot(seed).map(ToString::to_string).unwrap_or_default();
    let [one, other] = table.bots.map(name);
    let pair = |of: [String; 2]| of.join(" : ");
    let (games, points) = match result {
        None => ("-".to_owned(), "-".to_owned()),
        Some(TableResult { won, drawn, points }) => {
            let drawn = if *drawn == 0 { String::new() } else { format!(", {drawn} drawn") };
            let games = format!("{}{drawn}", pair(won.map(|won| won.to_string())));
            (games, pair(points.map(|points: Score| points.to_string())))
        }
    };
    let winner = result.map(|result| stage.winner(table, result).map_or("draw".to_owned(), name));
    let winner = winner.unwrap_or_else(|| "-".to_owned());
    [match_name(table.of), pair([one, other]), games, points, winner]
}

/// The matches of a round, each with its result.
pub fn matches(
    round: &StageRound,
) -> impl Iterator<Item = (&StageTable, Option<&TableResult>)> + '_ {
    let result = |at: usize| round.results.as_ref().and_then(|results| results.get(at));
    round.tables.iter().enumerate().map(move |(at, table)| (table, result(at)))
}

/// Writes a stage as text.
pub fn tell(stage: &Stage, out: &mut dyn Write) -> io::Result<()> {
    let line = &stage.line;
    let state = if stage.is_over() { "finished" } else { "in progress" };
    let (bots, deals) =
        (counted(line.bots.len(), "bot", "bots"), counted(line.deals, "deal", "deals"));
    writeln!(
        out,
        "stage {}, {}: {bots}, {deals} per match, {state}\n{}",
        line.stage,
        printable(&line.name),
        format_name(&line.format)
    )?;
    let heading =
        ["round", "match", "bots", "games", "points", "winner"].map(str::to_owned).to_vec();
    let mut rows = vec![heading];
    for round in stage.rounds() {
        for (table, result) in matches(round) {
            let row = match_row(stage, table, result);
            rows.push([vec![round.round.to_string()], row.to_vec()].concat());
        }
        if let Some(bot) = round.bye.and_then(|seed| stage.bot(seed)) {
            let bye = [&round.round.to_string(), "bye", &bot.to_string(), "-", "-", "-"];
            rows.push(bye.map(str::to_owned).to_vec());
        }
    }
    if rows.len() > 1 {
        write!(out, "\n{}", aligned(&rows, 6))?;
    }
    let places = stage.places();
    if places.is_empty() {
        return Ok(());
    }
    let heading = ["rank", "bot", "points", "tie-break"].map(str::to_owned).to_vec();
    let row = |placed: &StagePlace| {
        let bot = stage.bot(placed.seed).map(ToString::to_string).unwrap_or_default();
        let points = placed.half_points.map_or_else(|| "-".to_owned(), match_points);
        let by = placed.by.map_or_else(|| "-".to_owned(), |by| by.to_string());
        vec![rank(placed), bot, points, by]
    };
    let rows: Vec<Vec<String>> = [heading].into_iter().chain(places.iter().map(row)).collect();
    write!(out, "\n{}", aligned(&rows, 2))?;
    ranked_by(stage).map_or(Ok(()), |by| writeln!(out, "\n{by}"))
}

/// Writes a stage as a line of JSON.
pub fn write(stage: &Stage, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", json!({ "stage": value(stage) }))
}

/// Returns a stage as JSON: its line of the log, its state, its rounds with their results, and its places.
pub fn value(stage: &Stage) -> Value {
    #[derive(Serialize)]
    struct Match<'a> {
        r#match: StageMatch,
        bots: [String; 2],
        result: Option<&'a TableResult>,
        winner: Option<String>,
    }
    let name = |seed: usize| stage.bot(seed).map(ToString::to_string).unwrap_or_default();
    let round = |round: &StageRound| {
        let matches: Vec<Match<'_>> = matches(round)
            .map(|(table, result)| Match {
                r#match: table.of,
                bots: table.bots.map(name),
                result,
                winner: result.and_then(|result| stage.winner(table, result)).map(name),
            })
            .collect();
        json!({ "round": round.round, "matches": matches, "bye": round.bye.map(name) })
    };
    let place = |placed: &StagePlace| {
        json!({
            "rank": placed.rank,
            "bot": name(placed.seed),
            "half_points": placed.half_points,
            "group": placed.group,
            "tie_break": placed.by,
        })
    };
    let line = &stage.line;
    json!({
        "stage": line.stage,
        "name": line.name,
        "format": line.format,
        "bots": line.bots,
        "deals": line.deals,
        "tie_breaks": line.tie_breaks,
        "state": if stage.is_over() { "over" } else { "not over" },
        "rounds": stage.rounds().iter().map(round).collect::<Vec<_>>(),
        "places": stage.places().iter().map(place).collect::<Vec<_>>(),
    })
}
