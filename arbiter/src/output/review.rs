//! Reviews as text for people and as lines of JSON.

use std::io::{self, Write};
use std::path::Path;

use review::{
    BotReview, Certainty, Decision, MeanBreakdown, MeanByDeal, MistakeGrade, MistakeGroup,
    MistakePosition, PhaseFigures, ReviewSummary, ReviewedGame, StoredDealLuck,
};
use serde::Serialize;
use text::columns::{aligned, with_interval};
use text::shell::word;
use text::{counted, excerpt, printable};

use crate::output::named_json_line;

/// The kinds of mistakes that are shown of each bot.
const KINDS: usize = 8;

/// The moves that are shown of a decision, unless it was asked for.
const MOVES: usize = 6;

/// The most characters of the words for a mistake in a table.
const WORDS: usize = 58;

pub(crate) struct ReviewedLogs<'a> {
    /// The log as it was named.
    pub log: &'a Path,
    /// The files of its parts.
    pub logs: &'a [&'a Path],
    pub game: &'a str,
    pub summary: &'a ReviewSummary,
    /// The games that are shown with their decisions.
    pub games: &'a [ReviewedGame],
    /// The one move that was asked for.
    pub number: Option<u32>,
    /// The name of the program that has valued the moves, if one has.
    pub by: Option<&'a str>,
    /// The options that the command for a move repeats.
    pub repeated: &'a [String],
}

impl ReviewedLogs<'_> {
    /// The word for a command that names the log at a place.
    fn word_of(&self, log: usize) -> String {
        match self.logs.len() {
            0 | 1 => word(self.log),
            _ => self.logs.get(log).map_or_else(String::new, |path| word(path)),
        }
    }
}

pub(crate) fn text(shown: &ReviewedLogs<'_>) -> String {
    let mut text = String::new();
    let bots = shown.summary.bots();
    let decisions = bots.iter().map(|bot| bot.decisions).sum::<u64>();
    let games = counted(shown.summary.games, "game", "games");
    let decisions = counted(decisions, "decision", "decisions");
    let name = printable(&shown.log.display().to_string());
    line(&mut text, &format!("{name}: {games} of {}, {decisions}", shown.game));
    if shown.games.is_empty() {
        bots.iter().for_each(|bot| write_lost_games(&mut text, bot, shown));
    } else {
        shown.games.iter().for_each(|game| write_faults(&mut text, game, shown));
    }
    if shown.number.is_none() {
        text.push('\n');
        text.push_str(&aligned(&bot_rows(&bots), 1));
        if shown.games.is_empty() {
            write_accounts(&mut text, &bots);
        }
    }
    if shown.games.is_empty() {
        for bot in &bots {
            write_bot(&mut text, bot, shown);
        }
    } else {
        for game in shown.games {
            write_game(&mut text, game, shown);
        }
    }
    text.push('\n');
    text.push_str(&notes(shown));
    text
}

/// Says that a bot lost games by faults, which no move explains.
fn write_lost_games(text: &mut String, bot: &BotReview, shown: &ReviewedLogs<'_>) {
    let Some((log, game)) = bot.first_fault else { return };
    let (name, games) = (printable(&bot.name), counted(bot.games, "game", "games"));
    text.push('\n');
    line(
        text,
        &format!("{name} lost {} of {games} because of a fault, not its moves:", bot.faults),
    );
    line(text, &format!("  arbiter explain {} --game {game}", shown.word_of(log)));
}

/// Likewise for the bots in a game.
fn write_faults(text: &mut String, game: &ReviewedGame, shown: &ReviewedLogs<'_>) {
    for fault in &game.faults {
        let name = game.seats.get(fault.seat).map_or("", String::as_str);
        let [name, detail] = [name, &fault.detail].map(printable);
        let (number, seat, verdict) = (game.number, fault.seat, fault.verdict);
        text.push('\n');
        line(
            text,
            &format!("game {number}: seat {seat} {name} lost because of a fault, not its moves:"),
        );
        line(text, &format!("  {verdict}: {detail}"));
        line(text, &format!("  arbiter explain {} --game {number}", shown.word_of(game.log)));
    }
}

fn line(text: &mut String, words: &str) {
    text.push_str(words);
    text.push('\n');
}

fn percent(part: f64) -> String {
    // Otherwise, nothing is shown as `-0.0%`.
    let part = if part.abs() < 0.0005 { 0.0 } else { part };
    format!("{:.1}%", 100.0 * part)
}

/// A part of a win with its sign.
fn signed(part: f64) -> String {
    let part = if part.abs() < 0.0005 { 0.0 } else { part };
    format!("{:+.1}%", 100.0 * part)
}

fn cells<const N: usize>(cells: [&str; N]) -> Vec<String> {
    cells.map(str::to_owned).to_vec()
}

fn bot_rows(bots: &[&BotReview]) -> Vec<Vec<String>> {
    let heading =
        ["bot", "games", "decisions", "best", "loss per move", "loss per game", "5%", "10%", "15%"];
    let row = |bot: &&BotReview| {
        let interval = bot.interval().map(|half| 100.0 * half);
        let [inaccuracies, mistakes, blunders] = bot.marks.map(|count| count.to_string());
        vec![
            printable(&bot.name),
            bot.games.to_string(),
            bot.decisions.to_string(),
            format!("{:.0}%", 100.0 * bot.best as f64 / bot.decisions.max(1) as f64),
            percent(bot.a_decision()),
            with_interval(100.0 * bot.a_game(), "%", 1, interval),
            inaccuracies,
            mistakes,
            blunders,
        ]
    };
    [cells(heading)].into_iter().chain(bots.iter().map(row)).collect()
}

/// Writes luck, skill and rest in the results of each bot, where luck is measured.
fn write_accounts(text: &mut String, bots: &[&BotReview]) {
    if bots.iter().all(|bot| bot.accounts.is_empty()) {
        return;
    }
    text.push('\n');
    let heading = ["result = 50% +", "luck +", "skill +", "rest", "luck-adjusted", "in points"];
    let row = |bot: &&BotReview| {
        let accounts = &bot.accounts;
        let mean = |mean: &MeanByDeal, unit: &str, scale: f64| {
            with_interval(scale * mean.mean(), unit, 1, mean.interval().map(|half| scale * half))
        };
        let optional = |part: Option<f64>| part.map_or_else(|| "-".to_owned(), signed);
        vec![
            printable(&bot.name),
            mean(&accounts.result, "%", 100.0),
            signed(accounts.luck.mean()),
            optional(accounts.mean_skill()),
            optional(accounts.rest()),
            mean(&accounts.adjusted, "%", 100.0),
            mean(&accounts.adjusted_points, "", 1.0),
        ]
    };
    let heading = [vec!["bot".to_owned()], cells(heading)].concat();
    let played = bots.iter().filter(|bot| !bot.accounts.is_empty());
    let rows: Vec<_> = [heading].into_iter().chain(played.map(row)).collect();
    text.push_str(&aligned(&rows, 1));
}

fn write_bot(text: &mut String, bot: &BotReview, shown: &ReviewedLogs<'_>) {
    let name = printable(&bot.name);
    if bot.phases.len() > 1 {
        text.push('\n');
        let heading = ["phase", "decisions", "loss per move", "5%", "10%", "15%"];
        let row = |(phase, sums): (&String, &PhaseFigures)| {
            let [inaccuracies, mistakes, blunders] = sums.marks.map(|count| count.to_string());
            vec![
                printable(phase),
                sums.decisions.to_string(),
                percent(sums.given_away / sums.decisions.max(1) as f64),
                inaccuracies,
                mistakes,
                blunders,
            ]
        };
        line(text, &format!("{name}: by phase"));
        let rows: Vec<_> = [cells(heading)].into_iter().chain(bot.phases.iter().map(row)).collect();
        text.push_str(&aligned(&rows, 1));
    }
    let kinds = bot.kinds();
    if kinds.is_empty() {
        text.push('\n');
        let significant = if shown.by.is_some() { "" } else { "significant " };
        return line(text, &format!("{name}: no {significant}mistakes"));
    }
    text.push('\n');
    line(text, &format!("{name}: recurring mistakes"));
    let heading = ["count", "mean loss", "total loss", "mistake"];
    let row = |kind: &&MistakeGroup| {
        vec![
            kind.times.to_string(),
            percent(kind.given_away / kind.times.max(1) as f64),
            percent(kind.given_away),
            shortened(&printable(&kind.difference)),
        ]
    };
    let rows: Vec<_> =
        [cells(heading)].into_iter().chain(kinds.iter().take(KINDS).map(row)).collect();
    text.push_str(&ragged(&rows));
    text.push('\n');
    line(text, &format!("{name}: costliest decisions"));
    for position in &bot.dearest {
        write_position(text, position, shown);
    }
}

/// Three columns of numbers to the right, and one of words to the left.
fn ragged(rows: &[Vec<String>]) -> String {
    let numbers: Vec<Vec<String>> = rows.iter().map(|row| row[..3].to_vec()).collect();
    let both = rows.iter().zip(aligned(&numbers, 0).lines().map(str::to_owned).collect::<Vec<_>>());
    both.map(|(row, numbers)| format!("{numbers}  {}\n", row[3])).collect()
}

fn shortened(words: &str) -> String {
    match words.chars().count() > WORDS {
        true => words.chars().take(WORDS - 1).chain(['…']).collect(),
        false => words.to_owned(),
    }
}

/// A mistake in one line, and the command that shows all of it.
fn write_position(text: &mut String, position: &MistakePosition, shown: &ReviewedLogs<'_>) {
    let MistakePosition { game, decision, log, .. } = position;
    let mark = position.mark.map(|mark| format!("{mark}: ")).unwrap_or_default();
    let (played, best) = (&decision.moves[decision.played], &decision.moves[decision.best()]);
    let [played, better] = [played, best]
        .map(|mv| format!("{} ({})", excerpt::line(&printable(&mv.mv)), percent(mv.win)));
    line(text, &format!("  {mark}played {played}, better {better}"));
    let log = shown.word_of(*log);
    let repeated: String = shown.repeated.iter().map(|option| format!(" {option}")).collect();
    let number = decision.number;
    line(text, &format!("    arbiter review {log} --game {game} --move {number}{repeated}"));
}

fn write_game(text: &mut String, game: &ReviewedGame, shown: &ReviewedLogs<'_>) {
    let number = shown.number;
    let seats = game.seats.iter().enumerate();
    let seats: Vec<String> =
        seats.map(|(seat, name)| format!("seat {seat} {}", printable(name))).collect();
    text.push('\n');
    let log = shown.logs.get(game.log).filter(|_| shown.logs.len() > 1);
    let log = log.map(|path| format!("{}, ", printable(&path.display().to_string())));
    let log = log.unwrap_or_default();
    line(text, &format!("{log}game {}: {}", game.number, seats.join(", ")));
    if number.is_none() {
        write_luck(text, game);
    }
    let mut dearest: Vec<&Decision> = game.decisions.iter().collect();
    if number.is_none() {
        dearest.sort_by(|one, other| other.loss().total_cmp(&one.loss()));
    }
    for (seat, name) in game.seats.iter().enumerate() {
        let own = dearest.iter().filter(|decision| decision.seat == seat).take(3);
        for decision in own {
            write_decision(text, name, decision, shown);
        }
    }
    if dearest.is_empty() {
        line(text, "no decisions with alternatives");
    }
}

/// Writes the luck of each deal, and the parts of the result of each seat.
fn write_luck(text: &mut String, game: &ReviewedGame) {
    if game.accounts.is_empty() {
        return;
    }
    text.push('\n');
    let deals = (1..=game.luck.len()).map(|deal| format!("deal {deal}"));
    let heading = ["luck".to_owned()].into_iter().chain(deals).chain(["all".to_owned()]);
    let mut rows: Vec<Vec<String>> = vec![heading.collect()];
    let seats = || game.seats.iter().zip(&game.accounts);
    for (seat, (name, account)) in seats().enumerate() {
        let of_deal = |deal: &StoredDealLuck| deal.win.get(seat).copied().map(signed);
        let deals = game.luck.iter().map(|deal| of_deal(deal).unwrap_or_default());
        let row = [printable(name)].into_iter().chain(deals).chain([signed(account.luck)]);
        rows.push(row.collect());
    }
    text.push_str(&aligned(&rows, 1));
    for (name, account) in seats() {
        if let (Some(skill), Some(rest)) = (account.skill, account.rest()) {
            let parts = [("luck", account.luck), ("skill", skill), ("rest", rest)];
            let parts = parts.map(|(part, value)| {
                let sign = if value < 0.0 { '-' } else { '+' };
                format!(" {sign} {} {part}", percent(value.abs()))
            });
            let (name, result) = (printable(name), 100.0 * account.result);
            line(text, &format!("{name}: {result:.0}% = 50%{}", parts.concat()));
        }
    }
    if let Some((account, skill, rest)) = seats().find_map(|(_, account)| {
        let (skill, rest) = account.skill.zip(account.rest())?;
        Some((account, skill, rest))
    }) {
        line(text, TERMS);
        if rest.abs() > account.luck.abs().max(skill.abs()) {
            line(text, UNEXPLAINED);
        }
    }
}

/// The terms of a result, below it.
const TERMS: &str = "  50% is an even start; luck: what the cards were worth; skill: the opponent's \
                     losses minus the\n  bot's own; rest: what neither explains";

/// Said where the rest is the largest term.
const UNEXPLAINED: &str =
    "  the rest is the largest term: luck and skill explain many games together, but not this one";

fn write_decision(text: &mut String, name: &str, decision: &Decision, shown: &ReviewedLogs<'_>) {
    let most = shown.number.map_or(MOVES, |_| usize::MAX);
    let mark = match decision.mark() {
        Some(mark) => {
            format!("a{} {mark}", if mark == MistakeGrade::Inaccuracy { "n" } else { "" })
        }
        None if decision.played_a_best_move() => match shown.by {
            Some(_) => "this is the best move".to_owned(),
            None => "no significantly better move".to_owned(),
        },
        None => "not the best move, but not a mistake".to_owned(),
    };
    let heading = [&format!("move {}", decision.number), name, &decision.phase];
    let heading = heading.into_iter().filter(|part| !part.is_empty()).map(printable);
    let heading: Vec<String> = heading.collect();
    text.push('\n');
    line(text, &format!("{}: {mark}", heading.join(", ")));
    if let (Some(difference), Some(_)) = (&decision.difference, decision.mark()) {
        line(text, &format!("  {}", printable(difference)));
    }
    let mut order: Vec<usize> = (0..decision.moves.len()).collect();
    order.sort_by(|one, other| decision.moves[*other].win.total_cmp(&decision.moves[*one].win));
    let rank = order.iter().position(|place| *place == decision.played).unwrap_or(0);
    let hidden = order.len().saturating_sub(most);
    if hidden > 0 {
        order.truncate(most);
        // The move played is always there.
        if rank >= most {
            order.pop();
            order.push(decision.played);
        }
    }
    let has_points = decision.moves.iter().any(|mv| mv.points.is_some());
    let has_habits = decision.moves.iter().any(|mv| mv.habits.is_some());
    let mut heading = cells(["", "  move", "win %", "loss"]);
    heading.extend(has_points.then(|| "points".to_owned()));
    heading.extend(has_habits.then(|| "against this opponent".to_owned()));
    let best = decision.moves[decision.best()].lead;
    let row = |place: &usize| {
        let mv = &decision.moves[*place];
        let sign = if *place == decision.played { "  played" } else { "" };
        let is_sampled = matches!(decision.certainty, Certainty::Sampled { .. });
        let sampled = is_sampled.then_some(100.0 * mv.error);
        let mut row = vec![
            sign.to_owned(),
            excerpt::line(&printable(&mv.mv)),
            with_interval(100.0 * mv.win, "%", 1, sampled),
            percent(best - mv.lead),
        ];
        row.extend(has_points.then(|| mv.points.map_or("-".to_owned(), |it| format!("{it:+.1}"))));
        row.extend(has_habits.then(|| mv.habits.map_or("-".to_owned(), percent)));
        row
    };
    let rows: Vec<_> = [heading].into_iter().chain(order.iter().map(row)).collect();
    text.push_str(&aligned(&rows, 2));
    if hidden > 0 {
        line(text, &format!("  and {}", counted(hidden, "other move", "other moves")));
    }
    match decision.certainty {
        Certainty::Exact => line(text, "  exact: no hidden information left"),
        Certainty::Sampled { worlds } => {
            line(text, &format!("  ± standard errors over {worlds} sampled worlds"));
        }
        Certainty::Stated => {
            line(text, &format!("  as rated by {}", printable(shown.by.unwrap_or_default())));
        }
    }
}

/// What the columns mean, as far as it differs between games.
fn notes(shown: &ReviewedLogs<'_>) -> String {
    if let Some(by) = shown.by {
        return format!(
            "loss: win probability of the best move minus that of the played move, as rated by \
             {};\n\
             noisy ratings overestimate it\n\
             {}",
            printable(by),
            if shown.number.is_some() {
                ""
            } else {
                "± 95% intervals over deals; inaccuracy, mistake, blunder: a loss of 5%, 10%, 15%\n"
            }
        );
    }
    let mut text = String::from(match shown.number {
        Some(_) => "win probabilities are based on what the seat knew, not on the actual cards\n",
        None => {
            "loss: win probability of the best move minus that of the played move, given what the\n\
             seat knew; cross-validated (half of the worlds choose the best move, half measure \
             it),\n\
             so a mean can be negative\n\
             ± 95% intervals over deals; inaccuracy, mistake, blunder: a significant loss of 5%, \
             10%, 15%\n"
        }
    });
    let has_luck = shown.summary.bots().iter().any(|bot| !bot.accounts.is_empty());
    if has_luck {
        text.push_str(
            "luck: value of the cards; skill: the opponent's losses minus the bot's own;\n\
             rest: what neither explains, small over many games;\n\
             luck-adjusted results have the same mean and usually less variance\n",
        );
    }
    if shown.game == "coup" {
        text.push_str(
            "Coup is rated against an unknown opponent: exploiting a weak one counts as a loss\n",
        );
    }
    text
}

#[derive(Serialize)]
struct JsonReviewedGame<'a> {
    log: &'a str,
    #[serde(flatten)]
    game: &'a ReviewedGame,
    marks: Vec<Option<MistakeGrade>>,
}

#[derive(Serialize)]
struct JsonBotReview<'a> {
    #[serde(flatten)]
    bot: &'a BotReview,
    a_game: f64,
    interval: Option<f64>,
    a_decision: f64,
    mistakes: Vec<&'a MistakeGroup>,
    accounts: Option<JsonBreakdown>,
}

/// Luck, skill and rest in the results of a bot.
#[derive(Serialize)]
struct JsonBreakdown {
    result: JsonDealMean,
    luck: JsonDealMean,
    skill: Option<f64>,
    rest: Option<f64>,
    adjusted: JsonDealMean,
    points: JsonDealMean,
    adjusted_points: JsonDealMean,
}

/// A mean, and half of its 95% interval.
#[derive(Serialize)]
struct JsonDealMean {
    mean: f64,
    interval: Option<f64>,
}

impl JsonDealMean {
    fn new(mean: &MeanByDeal) -> JsonDealMean {
        JsonDealMean { mean: mean.mean(), interval: mean.interval() }
    }
}

impl JsonBreakdown {
    fn new(accounts: &MeanBreakdown) -> Option<JsonBreakdown> {
        (!accounts.is_empty()).then(|| JsonBreakdown {
            result: JsonDealMean::new(&accounts.result),
            luck: JsonDealMean::new(&accounts.luck),
            skill: accounts.mean_skill(),
            rest: accounts.rest(),
            adjusted: JsonDealMean::new(&accounts.adjusted),
            points: JsonDealMean::new(&accounts.points),
            adjusted_points: JsonDealMean::new(&accounts.adjusted_points),
        })
    }
}

/// Writes a line for a game of a log with this name.
pub(crate) fn json_game(log: &str, game: &ReviewedGame, out: &mut dyn Write) -> io::Result<()> {
    let marks = game.decisions.iter().map(Decision::mark).collect();
    named_json_line(out, "game", &JsonReviewedGame { log, game, marks })
}

/// Writes a line for each bot.
pub(crate) fn json_bots(summary: &ReviewSummary, out: &mut dyn Write) -> io::Result<()> {
    for bot in summary.bots() {
        let (a_game, interval, a_decision) = (bot.a_game(), bot.interval(), bot.a_decision());
        let mistakes = bot.kinds();
        let accounts = JsonBreakdown::new(&bot.accounts);
        let bot = JsonBotReview { bot, a_game, interval, a_decision, mistakes, accounts };
        named_json_line(out, "bot", &bot)?;
    }
    Ok(())
}
