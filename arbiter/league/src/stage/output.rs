//! Stages in words and in lines of JSON.

use std::io::{self, Write};

use rules::Score;
use serde_json::{Value, json};
use text::columns::aligned;
use text::shell::without_folders;
use text::{counted, printable};

use crate::stage::{
    Decision, DecisionCause, Decisions, GroupFormat, Leaver, LeavingMode, SeparationCause, Stage,
    StageAbort, StageFormat, StageMatch, StagePlace, StageRound, StageTable, TableResult,
};
use standings::pairing::knockout::ThirdPlace;
use standings::pairing::tie_break;

pub fn match_name(of: StageMatch) -> String {
    match of {
        StageMatch::Swiss(round) => format!("round {round}"),
        StageMatch::Group(group) => format!("group {group}"),
        StageMatch::Knockout(2) => "final".to_owned(),
        StageMatch::Knockout(4) => "semifinal".to_owned(),
        StageMatch::Knockout(8) => "quarterfinal".to_owned(),
        StageMatch::Knockout(bots) => format!("round of {bots}"),
        StageMatch::Third => "third place".to_owned(),
        StageMatch::Winners(2) => "winners' final".to_owned(),
        StageMatch::Winners(4) => "winners' semifinal".to_owned(),
        StageMatch::Winners(bots) => format!("winners' round of {bots}"),
        StageMatch::Losers { round, of } if round == of => "losers' final".to_owned(),
        StageMatch::Losers { round, .. } => format!("losers' round {round}"),
        StageMatch::Final => "grand final".to_owned(),
        StageMatch::SecondFinal => "second final".to_owned(),
    }
}

/// Names a table: its match, or the extra deal of it.
pub fn table_name(table: &StageTable) -> String {
    match table.decider {
        None => match_name(table.of),
        Some(pair) => format!("{}, extra deal {pair}", match_name(table.of)),
    }
}

/// Says how a match was decided for the bot on this side of the table, 0 or 1.
pub fn decided_for(decision: &Decision, side: usize) -> String {
    let Decision { side: winner, by, games } = decision;
    let Some(winner) = *winner else {
        return match by {
            DecisionCause::NeitherAnswered => "draw, neither answered".to_owned(),
            DecisionCause::Withdrawal => "void by withdrawal".to_owned(),
            _ => "draw".to_owned(),
        };
    };
    let has_won = winner == side;
    let verb = if has_won { "won" } else { "lost" };
    let seed = if has_won { "better seed" } else { "lost to the better seed" };
    let won = |side: usize| games.won.get(side).copied().unwrap_or_default();
    let score = format!("{verb} {} : {}", won(side), won(1 - side.min(1)));
    let drawn = if games.drawn == 0 { String::new() } else { format!(", {} drawn", games.drawn) };
    match by {
        DecisionCause::Games => format!("{score}{drawn}"),
        DecisionCause::Deciders => format!("{score} in extra deals{drawn}"),
        DecisionCause::Points => format!("{verb} on points"),
        DecisionCause::Seed => seed.to_owned(),
        DecisionCause::Forfeit => format!("{verb} by forfeit"),
        DecisionCause::NeitherAnswered => format!("{seed}, neither answered"),
        DecisionCause::Withdrawal => format!("{verb} by withdrawal"),
    }
}

/// Says how a match was decided, for its winner.
pub fn decided(decision: &Decision) -> String {
    decided_for(decision, decision.side.unwrap_or_default())
}

/// Says how the last match of a bot in a knockout ended.
pub fn last_match(decisions: &Decisions, seed: usize) -> Option<String> {
    let mut own = decisions.all().iter().rev();
    let (table, decision) =
        own.find(|(table, _)| table.of.is_of_knockout() && table.bots.contains(&seed))?;
    let side = usize::from(table.bots[1] == seed);
    Some(format!("{}: {}", match_name(table.of), decided_for(decision, side)))
}

/// Says which bots left a stage, when and why.
pub fn leavers(stage: &Stage) -> Vec<String> {
    stage.leavers().all().iter().map(|leaver| leaver_in_words(stage, leaver)).collect()
}

/// Says when and why a bot left a stage.
pub fn leaver_in_words(stage: &Stage, leaver: &Leaver) -> String {
    let bot = stage.bot(leaver.seed).map(ToString::to_string).unwrap_or_default();
    let how = match leaver.how {
        LeavingMode::Withdrawn => "left",
        LeavingMode::Disqualified => "was disqualified",
    };
    let rounds = counted(leaver.over, "round", "rounds");
    let why = leaver.reason.as_ref().map(|why| format!(": {}", without_folders(&printable(why))));
    format!("{bot} {how} after {rounds}{}", why.unwrap_or_default())
}

/// Says what would follow if a bot left a stage now.
pub fn if_it_leaves(stage: &Stage, seed: usize) -> String {
    let name = |seed: usize| stage.bot(seed).map(ToString::to_string).unwrap_or_default();
    let (number, bot) = (stage.line.stage, name(seed));
    let open = stage.rounds().last().filter(|round| round.results.is_none());
    let table = open.and_then(|it| it.tables.iter().find(|table| table.bots.contains(&seed)));
    let opponent = |table: &StageTable| name(table.bots[usize::from(table.bots[0] == seed)]);
    let is_first = stage.rounds().len() == 1;
    let what = match (&stage.line.format, table) {
        _ if stage.leavers().has(seed) => "has already left it".to_owned(),
        _ if stage.rounds().is_empty() => {
            "leaves before the first round: the next seeds move up".to_owned()
        }
        (StageFormat::Swiss { .. }, None) => "keeps its points and is no longer paired".to_owned(),
        (StageFormat::Swiss { .. }, Some(table)) => format!(
            "keeps its points and is no longer paired; {} gets the point of the current match",
            opponent(table)
        ),
        (StageFormat::Groups(_), _) if is_first && open.is_some() => {
            "leaves before the group matches end: all of its matches are void".to_owned()
        }
        (StageFormat::Groups(_), _) if is_first && stage.goes_on(seed) => {
            "keeps its group results, and the next bot in its group advances".to_owned()
        }
        _ if stage.places().iter().any(|place| place.seed == seed) => {
            "has played its last match: no result changes".to_owned()
        }
        (StageFormat::DoubleElimination, Some(table)) => {
            format!("concedes the current match to {}, and all later ones", opponent(table))
        }
        (StageFormat::DoubleElimination, None) => "concedes all of its matches".to_owned(),
        (_, Some(table)) => format!("concedes the current match to {}", opponent(table)),
        (_, None) => "concedes its next match".to_owned(),
    };
    format!("stage {number}: {bot} {what}")
}

/// Says what separates a bot from the others in a table of places.
pub fn separated_by(place: &StagePlace) -> String {
    let names = place.separated_by.iter().map(|by| match by {
        SeparationCause::MatchPoints => "match points".to_owned(),
        SeparationCause::TieBreak(by) => by.to_string(),
        SeparationCause::Seed => "better seed".to_owned(),
        SeparationCause::Shared => "shared".to_owned(),
        SeparationCause::Left => "left the stage".to_owned(),
    });
    names.collect::<Vec<_>>().join(", ")
}

pub fn format_name(format: &StageFormat) -> String {
    let third = |third: &ThirdPlace| match third {
        ThirdPlace::Played => " with a third-place match",
        ThirdPlace::Shared => "",
    };
    match format {
        StageFormat::Swiss { rounds } => {
            format!("Swiss system, {}", counted(*rounds, "round", "rounds"))
        }
        StageFormat::Knockout { third: played } => format!("knockout{}", third(played)),
        StageFormat::DoubleElimination => "double elimination".to_owned(),
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

/// Says whether a stage goes on, is finished, or was aborted.
pub fn state(stage: &Stage) -> String {
    match stage.aborted() {
        Some(StageAbort { reason: Some(reason) }) => format!("aborted ({})", printable(reason)),
        Some(StageAbort { reason: None }) => "aborted".to_owned(),
        None if stage.is_over() => "finished".to_owned(),
        None => "in progress".to_owned(),
    }
}

/// Says how tied matches of a knockout are decided.
pub fn tied_matches(stage: &Stage) -> Option<String> {
    match (stage.line.format, stage.line.deciders) {
        (StageFormat::Swiss { .. }, _) => None,
        (_, 0) => {
            Some("tied matches go to the bot with more points, then to the better seed".to_owned())
        }
        (_, deciders) => Some(format!(
            "tied matches get up to {}, then points decide, then the better seed",
            counted(deciders, "extra deal", "extra deals")
        )),
    }
}

/// The headings of the points of a bot and of what separates it from others: after groups, both are of its group.
pub fn place_headings(format: &StageFormat) -> [&'static str; 2] {
    match format {
        StageFormat::Groups(_) => ["group points", "separated in the group by"],
        StageFormat::Swiss { .. }
        | StageFormat::Knockout { .. }
        | StageFormat::DoubleElimination => ["points", "separated by"],
    }
}

/// Says by what the bots of a stage are ranked.
pub fn ranked_by(stage: &Stage) -> Option<String> {
    let ties = tie_break::in_words(&stage.line.tie_breaks);
    match stage.line.format {
        StageFormat::Swiss { .. } => Some(format!("ranked by match points; {ties}")),
        StageFormat::Groups(_) => Some(format!(
            "the knockout ranks those that advance; groups are ranked by match points, {ties}"
        )),
        StageFormat::Knockout { .. } | StageFormat::DoubleElimination => None,
    }
}

/// A row of a table of matches: the match, its bots, the games that each has won, their points, the winner, and how it
/// was decided.
fn match_row(
    stage: &Stage,
    decisions: &Decisions,
    table: &StageTable,
    result: Option<&TableResult>,
) -> [String; 6] {
    let name = |seed: usize| stage.bot(seed).map(ToString::to_string).unwrap_or_default();
    let [one, other] = table.bots.map(name);
    let pair = |of: [String; 2]| of.join(" : ");
    let (games, points) = match result {
        None => ("-".to_owned(), "-".to_owned()),
        Some(TableResult { won, drawn, points, .. }) => {
            let drawn = if *drawn == 0 { String::new() } else { format!(", {drawn} drawn") };
            let games = format!("{}{drawn}", pair(won.map(|won| won.to_string())));
            (games, pair(points.map(|points: Score| points.to_string())))
        }
    };
    let (winner, how) = match decisions.of_table(table) {
        _ if table.decider.is_some() => ("-".to_owned(), "-".to_owned()),
        Some(decision) => {
            let winner = decision.side.map_or("draw".to_owned(), |side| name(table.bots[side]));
            (winner, decided(decision))
        }
        None if result.is_some() => ("-".to_owned(), "tied".to_owned()),
        None => ("-".to_owned(), "-".to_owned()),
    };
    [table_name(table), pair([one, other]), games, points, winner, how]
}

pub fn matches(
    round: &StageRound,
) -> impl Iterator<Item = (&StageTable, Option<&TableResult>)> + '_ {
    let result = |at: usize| round.results.as_ref().and_then(|results| results.get(at));
    round.tables.iter().enumerate().map(move |(at, table)| (table, result(at)))
}

/// Says who has won a stage, and how; none before its end.
pub fn winner(stage: &Stage) -> Option<String> {
    let places = stage.places();
    let is_finished = stage.is_over() && stage.aborted().is_none();
    let first = places.first().filter(|place| is_finished && place.rank == [1, 1])?;
    let how = last_match(&stage.decisions(), first.seed).unwrap_or_else(|| separated_by(first));
    let (number, name) = (stage.line.stage, printable(&stage.line.name));
    Some(format!("stage {number} ({name}): {} is first, {how}", stage.bot(first.seed)?))
}

/// Writes a stage as text.
pub fn tell(stage: &Stage, out: &mut dyn Write) -> io::Result<()> {
    let line = &stage.line;
    let state = state(stage);
    let (bots, deals) =
        (counted(line.bots.len(), "bot", "bots"), counted(line.deals, "deal", "deals"));
    writeln!(
        out,
        "stage {}, {}: {bots}, {deals} per match, {state}\n{}",
        line.stage,
        printable(&line.name),
        format_name(&line.format)
    )?;
    let heading = ["round", "match", "bots", "games", "points", "winner", "decided"];
    let heading = heading.map(str::to_owned).to_vec();
    let decisions = stage.decisions();
    let mut rows = vec![heading];
    for round in stage.rounds() {
        for (table, result) in matches(round) {
            let row = match_row(stage, &decisions, table, result);
            rows.push([vec![round.round.to_string()], row.to_vec()].concat());
        }
        for bot in stage.byes(round).into_iter().filter_map(|seed| stage.bot(seed)) {
            let (round, bot) = (round.round.to_string(), bot.to_string());
            let bye = [&round, "bye", &bot, "-", "-", "-", "bye"];
            rows.push(bye.map(str::to_owned).to_vec());
        }
    }
    for table in stage.walkovers() {
        let row = match_row(stage, &decisions, &table, None);
        rows.push([vec!["-".to_owned()], row.to_vec()].concat());
    }
    if rows.len() > 1 {
        write!(out, "\n{}", aligned(&rows, 7))?;
    }
    let places = stage.places();
    if places.is_empty() {
        return Ok(());
    }
    let has_knockout = !matches!(stage.line.format, StageFormat::Swiss { .. });
    let [points, separated] = place_headings(&stage.line.format);
    let mut heading = vec!["rank", "bot", points, separated];
    heading.extend(has_knockout.then_some("last match"));
    let heading = heading.into_iter().map(str::to_owned).collect();
    let row = |placed: &StagePlace| {
        let bot = stage.bot(placed.seed).map(ToString::to_string).unwrap_or_default();
        let points = placed.half_points.map_or_else(|| "-".to_owned(), match_points);
        let mut row = vec![rank(placed), bot, points, separated_by(placed)];
        row.extend(has_knockout.then(|| last_match(&decisions, placed.seed).unwrap_or_default()));
        row.into_iter().map(|cell| if cell.is_empty() { "-".to_owned() } else { cell }).collect()
    };
    let rows: Vec<Vec<String>> = [heading].into_iter().chain(places.iter().map(row)).collect();
    write!(out, "\n{}", aligned(&rows, 2))?;
    let notes = ranked_by(stage).into_iter().chain(tied_matches(stage)).chain(leavers(stage));
    writeln!(out, "\n{}", notes.collect::<Vec<_>>().join("\n"))
}

/// Writes a stage as a line of JSON.
pub fn write(stage: &Stage, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", json!({ "stage": value(stage) }))
}

/// Returns a stage as JSON: its line of the log, its state, its rounds with their results, and its places.
pub fn value(stage: &Stage) -> Value {
    let decisions = stage.decisions();
    let name = |seed: usize| stage.bot(seed).map(ToString::to_string).unwrap_or_default();
    let round = |round: &StageRound| {
        let matches: Vec<Value> = matches(round)
            .map(|(table, result)| {
                let decision = decisions.of_table(table);
                let side = decision.and_then(|it| it.side);
                json!({
                    "match": table.of,
                    "bots": table.bots.map(name),
                    "decider": table.decider,
                    "result": result,
                    "winner": side.map(|side| name(table.bots[side])),
                    "decided": decision.map(|it| it.by),
                })
            })
            .collect();
        json!({
            "round": round.round,
            "matches": matches,
            "bye": round.bye.map(name),
            "byes": stage.byes(round).into_iter().map(name).collect::<Vec<_>>(),
        })
    };
    let place = |placed: &StagePlace| {
        json!({
            "rank": placed.rank,
            "bot": name(placed.seed),
            "half_points": placed.half_points,
            "group": placed.group,
            "tie_break": placed.by,
            "separated_by": placed.separated_by,
        })
    };
    let walkover = |table: &StageTable| {
        let decision = decisions.of_table(table);
        let side = decision.and_then(|it| it.side);
        json!({
            "match": table.of,
            "bots": table.bots.map(name),
            "winner": side.map(|side| name(table.bots[side])),
            "decided": decision.map(|it| it.by),
        })
    };
    let left = |leaver: &Leaver| {
        let Leaver { seed, over, how, reason, .. } = leaver;
        let reason = reason.as_ref().map(|why| without_folders(why));
        json!({ "bot": name(*seed), "rounds": over, "how": how, "reason": reason })
    };
    let line = &stage.line;
    json!({
        "stage": line.stage,
        "name": line.name,
        "format": line.format,
        "bots": line.bots,
        "deals": line.deals,
        "tie_breaks": line.tie_breaks,
        "deciders": line.deciders,
        "forfeits": line.forfeits,
        "state": if stage.is_over() { "over" } else { "not over" },
        "aborted": stage.aborted().map(|it| json!({ "reason": it.reason })),
        "rounds": stage.rounds().iter().map(round).collect::<Vec<_>>(),
        "walkovers": stage.walkovers().iter().map(walkover).collect::<Vec<_>>(),
        "left": stage.leavers().all().iter().map(left).collect::<Vec<_>>(),
        "places": stage.places().iter().map(place).collect::<Vec<_>>(),
    })
}
