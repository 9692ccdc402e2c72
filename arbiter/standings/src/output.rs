//! The standings of a tournament: as text for people, as Markdown for what they write, as JSON and
//! CSV for programs.

use std::{io, iter};

use ::csv::Writer;
use ::text::columns::aligned;
use rules::Verdict;
use text::columns::{with_ends, with_interval};
use text::{counted, printable, spreadsheet_cell};

use crate::OutsideHelp;
use crate::pairing::tie_break;
use crate::{
    DuplicateScore, Estimate, Group, HeadToHead, Interval, IntervalMethod, Model,
    PentanomialCounts, RankInterval, Row, SprtDecision, SprtState, Standings, StandingsView,
    WideGap,
};

/// A table of all games and one without those that were forfeited, if any were; then every two
/// bots, unless there are more than 20.
pub fn text(standings: &Standings) -> String {
    sections(standings).iter().map(in_columns).collect::<Vec<_>>().join("\n")
}

fn in_columns(section: &OutputSection) -> String {
    let notes: String = section.notes.iter().map(|note| format!("{note}\n")).collect();
    let gap = if notes.is_empty() { "" } else { "\n" };
    format!("{}\n\n{}{gap}{notes}", section.title, aligned(&section.table, WORDS))
}

/// Standings as Markdown: the content of [`text`](text()), with a heading and a table for each part.
pub fn markdown(standings: &Standings) -> String {
    let sections = sections(standings).into_iter().map(|section| {
        let notes = section.notes.iter().map(|note| format!("- {}\n", escaped(note)));
        let notes: String = notes.collect();
        let gap = if notes.is_empty() { "" } else { "\n" };
        format!("## {}\n\n{}{gap}{notes}", escaped(&section.title), markdown_table(&section.table))
    });
    sections.collect::<Vec<_>>().join("\n")
}

fn markdown_table(rows: &[Vec<String>]) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let mut rows = rows.iter().map(|row| row.iter().map(|cell| escaped(cell)).collect::<Vec<_>>());
    let heading = rows.next().unwrap_or_default();
    let rule = |column| if column < WORDS { ":--" } else { "--:" };
    let rule: Vec<String> = (0..heading.len()).map(|column| rule(column).to_owned()).collect();
    let rows: String = rows.map(|row| line(&row)).collect();
    format!("{}{}{rows}", line(&heading), line(&rule))
}

/// The text as it must be written to be read as it is.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        if matches!(letter, '\\' | '|' | '*' | '_' | '`' | '<' | '[' | ']' | '#' | '~' | '&') {
            escaped.push('\\');
        }
        escaped.push(letter);
    }
    escaped
}

/// One line, with everything that [`Standings`] hold.
///
/// # Errors
///
/// Never: all of it has a form in JSON.
pub fn json(standings: &Standings) -> io::Result<String> {
    Ok(serde_json::to_string(standings)?)
}

/// A heading, a line for each bot from all games, and one for each from those that were not
/// forfeited. A cell is empty if there is no number. With more than two seats, places follow; with tie-breaks,
/// a column says which one decided. Where bots may have received help from outside, the last column says how:
/// `network` or `remote`.
///
/// # Errors
///
/// Never: it is written to memory.
pub fn csv_rows(standings: &Standings) -> io::Result<String> {
    let mut heading = words("view rank best_rank worst_rank name games won drawn lost forfeited");
    heading.extend(faults().map(|why| format!("forfeited_{}", why.name().replace('-', "_"))));
    heading.extend(words("score score_low score_high rating rating_low rating_high"));
    heading.extend(words("points_for points_against margin margin_low margin_high"));
    if standings.all.seats > 2 {
        heading.push("mean_place".to_owned());
        heading.extend((1..=standings.all.seats).map(|place| format!("place_{place}")));
    }
    heading.extend((!standings.all.tie_breaks.is_empty()).then(|| "tie_break".to_owned()));
    let is_helped = standings.all.rows.iter().any(|row| row.help.is_some());
    heading.extend(is_helped.then(|| "help".to_owned()));
    written(heading, standings, |view| {
        let cells = |of: &Row| {
            let mut cells = row(of);
            let tie_break = || of.tie_break.map_or_else(String::new, |it| it.to_string());
            cells.extend((!view.tie_breaks.is_empty()).then(tie_break));
            let help = || of.help.map_or("", OutsideHelp::name).to_owned();
            cells.extend(is_helped.then(help));
            cells
        };
        view.rows.iter().map(cells).collect()
    })
}

/// A heading and a line for every two bots that met, from all games and from those that were not forfeited.
/// A cell is empty if there is no number.
///
/// # Errors
///
/// Never: it is written to memory.
pub fn csv_crosstable(standings: &Standings) -> io::Result<String> {
    let mut heading = words("view name opponent games won drawn lost score score_low score_high");
    heading.extend(words("points_for points_against margin margin_low margin_high better"));
    written(heading, standings, |view| view.crosstable.iter().map(pairing).collect())
}

fn written(
    heading: Vec<String>,
    standings: &Standings,
    records: impl Fn(&StandingsView) -> Vec<Vec<String>>,
) -> io::Result<String> {
    let mut writer = Writer::from_writer(Vec::new());
    writer.write_record(heading)?;
    let views = [("all", &standings.all), ("without-forfeits", &standings.without_forfeits)];
    for (name, view) in views {
        for record in records(view) {
            writer.write_record([vec![name.to_owned()], record].concat())?;
        }
    }
    let bytes = writer.into_inner().map_err(|error| io::Error::other(error.to_string()))?;
    String::from_utf8(bytes).map_err(io::Error::other)
}

fn row(row: &Row) -> Vec<String> {
    let ranks = row.rank_interval;
    let mut cells = vec![
        row.rank.to_string(),
        ranks.map_or_else(String::new, |ranks| ranks.best.to_string()),
        ranks.map_or_else(String::new, |ranks| ranks.worst.to_string()),
        spreadsheet_cell(&printable(&row.name)).into_owned(),
    ];
    let counts = [row.games, row.won, row.drawn, row.lost, row.forfeits.values().sum()];
    let forfeits = faults().map(|why| row.forfeits.get(&why).copied().unwrap_or(0));
    cells.extend(counts.into_iter().chain(forfeits).map(|count| count.to_string()));
    cells.extend([row.score, row.rating].into_iter().flat_map(estimate));
    cells.extend([row.points_for, row.points_against].map(|points| points.to_string()));
    cells.extend(estimate(row.margin));
    if !row.places.is_empty() {
        cells.push(number(row.mean_place));
        cells.extend(row.places.iter().map(u64::to_string));
    }
    cells
}

fn pairing(pairing: &HeadToHead) -> Vec<String> {
    let names = [&pairing.name, &pairing.opponent];
    let mut cells: Vec<String> =
        names.map(|name| spreadsheet_cell(&printable(name)).into_owned()).into();
    let counts = [pairing.games, pairing.won, pairing.drawn, pairing.lost];
    cells.extend(counts.map(|count| count.to_string()));
    cells.extend(estimate(pairing.score));
    cells.extend([pairing.points_for, pairing.points_against].map(|points| points.to_string()));
    cells.extend(estimate(pairing.margin));
    cells.push(number(pairing.better));
    cells
}

/// The verdicts by which a game is forfeited.
fn faults() -> impl Iterator<Item = Verdict> {
    let is_fault = |verdict: &Verdict| !matches!(verdict, Verdict::Ok | Verdict::Void);
    Verdict::ALL.into_iter().filter(is_fault)
}

/// The value and the ends of its interval.
fn estimate(estimate: Option<Estimate>) -> [String; 3] {
    let value = estimate.map(|estimate| estimate.value);
    let interval = estimate.and_then(|estimate| estimate.interval);
    let low = interval.and_then(|interval| interval.low);
    let high = interval.and_then(|interval| interval.high);
    [value, low, high].map(number)
}

fn number(number: Option<f64>) -> String {
    number.map_or_else(String::new, |number| number.to_string())
}

fn words(words: &str) -> Vec<String> {
    words.split(' ').map(str::to_owned).collect()
}

/// Number of leading columns that are words, and aligned to the left.
const WORDS: usize = 2;

/// The most bots for which every pair is shown.
const MOST_IN_CROSSTABLE: usize = 20;

/// The most names in a list of them.
const MOST_NAMES: usize = 8;

/// The most gaps between ratings that are named below standings.
const MOST_GAPS: usize = 3;

/// The meaning of the places of a bot.
const PLACES: &str = "places: number of games finished in each place, first to last; ties count as \
     the best shared place";

struct OutputSection {
    title: String,
    /// The heading and the rows; the first two columns are words.
    table: Vec<Vec<String>>,
    /// Notes below the table, a line each.
    notes: Vec<String>,
}

/// A column of the table of all bots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Column {
    /// The place by the rating.
    Rank,
    /// The name.
    Bot,
    /// Games played.
    Games,
    /// Games won.
    Won,
    /// Games drawn.
    Drawn,
    /// Games lost.
    Lost,
    /// Games by place, from the first to the last.
    Places,
    /// The place in the mean game.
    MeanPlace,
    /// The share of the points.
    Score,
    /// The rating on the scale of Elo.
    Rating,
    /// The ranks that are possible by what was played.
    Ranks,
    /// The tie-break that put the bot before or behind equal ones.
    TieBreak,
    /// The points of the mean game.
    PointsAGame,
    /// Mean lead in points.
    Margin,
    /// Games forfeited, by verdict.
    Forfeits,
}

impl Column {
    /// All columns in their order; the first two are words.
    pub const ALL: [Column; 15] = [
        Column::Rank,
        Column::Bot,
        Column::Games,
        Column::Won,
        Column::Drawn,
        Column::Lost,
        Column::Places,
        Column::MeanPlace,
        Column::Score,
        Column::Rating,
        Column::Ranks,
        Column::TieBreak,
        Column::PointsAGame,
        Column::Margin,
        Column::Forfeits,
    ];

    /// The columns that say something of a view, in their order: with two seats, places are won and lost.
    pub fn for_view(view: &StandingsView) -> impl Iterator<Item = Column> + Clone {
        let (has_places, breaks_ties) = (view.seats > 2, !view.tie_breaks.is_empty());
        Column::ALL.into_iter().filter(move |column| match column {
            Column::Places | Column::MeanPlace => has_places,
            Column::TieBreak => breaks_ties,
            _ => true,
        })
    }

    /// The heading.
    pub fn heading(self) -> &'static str {
        match self {
            Column::Rank => "rank",
            Column::Bot => "bot",
            Column::Games => "games",
            Column::Won => "won",
            Column::Drawn => "drawn",
            Column::Lost => "lost",
            Column::Places => "places",
            Column::MeanPlace => "mean place",
            Column::Score => "score",
            Column::Rating => "rating",
            Column::Ranks => "rank range",
            Column::TieBreak => "tie-break",
            Column::PointsAGame => "points per game",
            Column::Margin => "margin",
            Column::Forfeits => "forfeits",
        }
    }

    /// The cell for a bot of a view.
    pub fn cell(self, row: &Row, view: &StandingsView) -> String {
        match self {
            Column::Rank => row.rank.to_string(),
            Column::Bot => {
                format!("{}{}", printable(&row.name), row.help.map_or("", OutsideHelp::mark))
            }
            Column::Games => row.games.to_string(),
            Column::Won => row.won.to_string(),
            Column::Drawn => row.drawn.to_string(),
            Column::Lost => row.lost.to_string(),
            Column::Places if row.games == 0 => empty_cell(),
            Column::Places => row.places.iter().map(u64::to_string).collect::<Vec<_>>().join("/"),
            Column::MeanPlace => {
                row.mean_place.map_or_else(empty_cell, |place| format!("{place:.2}"))
            }
            Column::Score => percent(row.score),
            Column::Rating => row.rating.map_or_else(empty_cell, rating),
            Column::Ranks => row.rank_interval.map_or_else(empty_cell, ranks),
            Column::TieBreak => row.tie_break.map_or_else(empty_cell, |it| it.to_string()),
            Column::PointsAGame => match row.games {
                0 => empty_cell(),
                games => format!("{:.2}", row.points_for / games as f64),
            },
            Column::Margin => row.margin.map_or_else(empty_cell, |it| margin(it, view.widest)),
            Column::Forfeits if row.forfeits.is_empty() => empty_cell(),
            Column::Forfeits => forfeits(row),
        }
    }
}

fn sections(standings: &Standings) -> Vec<OutputSection> {
    let Standings { all, without_forfeits, .. } = standings;
    let mut sections = vec![rows("standings", all)];
    if all.forfeited > 0 {
        sections.push(rows("standings excluding forfeited games", without_forfeits));
    }
    if all.games > 0 && all.rows.len() <= MOST_IN_CROSSTABLE {
        sections.push(crosstable(all));
        sections.push(probabilities(all));
    }
    sections
}

/// The bots of a view, the best first.
fn rows(name: &str, view: &StandingsView) -> OutputSection {
    let heading = Column::for_view(view).map(|column| column.heading().to_owned()).collect();
    let row = |row| Column::for_view(view).map(|column| column.cell(row, view)).collect();
    let table = iter::once(heading).chain(view.rows.iter().map(row)).collect();
    OutputSection { title: title(name, view), table, notes: notes(view) }
}

/// Title above the table of all bots.
pub fn title(name: &str, view: &StandingsView) -> String {
    let forfeited = match view.forfeited {
        0 => String::new(),
        forfeited => format!(", {forfeited} forfeited"),
    };
    let (games, deals) =
        (counted(view.games, "game", "games"), counted(view.deals, "deal", "deals"));
    format!("{name}: {games}{forfeited}, {deals}")
}

fn ranks(ranks: RankInterval) -> String {
    match ranks.best == ranks.worst {
        true => ranks.best.to_string(),
        false => format!("{}-{}", ranks.best, ranks.worst),
    }
}

/// Games that a bot forfeited, by verdict.
pub fn forfeits(row: &Row) -> String {
    let forfeits = row.forfeits.iter().map(|(why, count)| format!("{why} {count}"));
    forfeits.collect::<Vec<_>>().join(", ")
}

/// Notes below the table of all bots, a line each.
pub fn notes(view: &StandingsView) -> Vec<String> {
    let ties = tie_break::in_words(&view.tie_breaks);
    let by_group = if view.groups.len() > 1 { "within each group " } else { "" };
    let ranked = format!("ranked {by_group}by rating, then score; {ties}");
    let mut notes = vec![ranked, method(view.method), model(view.model)];
    notes.extend((view.seats > 2).then(|| PLACES.to_owned()));
    notes.extend(ends(view));
    notes.extend(groups(view));
    notes.extend(view.wide_gaps().iter().take(MOST_GAPS).map(wide_gap));
    let given = |help: &OutsideHelp| view.rows.iter().any(|row| row.help == Some(*help));
    notes.extend(OutsideHelp::ALL.into_iter().filter(given).map(|help| help.meaning().to_owned()));
    if (1..IntervalMethod::FEWEST_DEALS).contains(&view.deals) {
        let fewest = IntervalMethod::FEWEST_DEALS;
        notes.push(format!(
            "fewer than {fewest} deals: no rating intervals, rank ranges or probabilities"
        ));
    }
    let lacks_interval =
        |row: &Row| [row.margin, row.score].into_iter().flatten().any(|it| it.interval.is_none());
    if view.deals > 1 && view.rows.iter().any(lacks_interval) {
        notes.push(
            "no interval: all deals had the same result, or there is too little data".to_owned(),
        );
    }
    notes.extend(view.draw_parameter.map(|draws| seat(view.seat_advantage, draws)));
    notes.extend(view.pairs.as_ref().map(pairs));
    notes.extend(view.sprt.as_ref().map(sprt));
    notes
}

/// Explains `>` and `<`, if there are any.
fn ends(view: &StandingsView) -> Option<String> {
    let intervals = view.rows.iter().filter_map(|row| row.rating?.interval);
    let is_open = |interval: Interval| interval.low.is_none() || interval.high.is_none();
    let is_any_open = intervals.into_iter().any(is_open);
    is_any_open.then(|| {
        "> and <: one-sided interval of bots that won or lost every game against others".to_owned()
    })
}

/// Says that the distance of two neighbours is no more than a bound.
fn wide_gap(gap: &WideGap) -> String {
    let WideGap { upsets, games, .. } = gap;
    let (above, below) = (printable(&gap.above), printable(&gap.below));
    format!(
        "bots from {below} down scored against bots from {above} up in only {upsets} of {games} \
         games: the rating gap is a lower bound"
    )
}

/// Names the bots that cannot be compared, and says what is 0 where it is not the mean of all.
fn groups(view: &StandingsView) -> Vec<String> {
    let mut notes = Vec::new();
    let names = |names: &[String]| {
        let mut shown: Vec<String> =
            names.iter().take(MOST_NAMES).map(|name| printable(name)).collect();
        if names.len() > MOST_NAMES {
            shown.push(format!("{} more", names.len() - MOST_NAMES));
        }
        shown.join(", ")
    };
    if view.groups.len() > 1 {
        let groups = view.groups.iter().take(MOST_NAMES).map(|group| names(&group.bots));
        let groups = groups.collect::<Vec<_>>().join("; ");
        notes.push(format!(
            "{} unconnected groups: ratings are comparable only within a group: {groups}",
            view.groups.len(),
        ));
    }
    let has_others = |group: &&Group| group.anchors.len() < group.bots.len();
    let of_some = view.groups.iter().filter(has_others).take(MOST_NAMES);
    notes.extend(of_some.map(|group| format!("rating 0 = mean of {}", names(&group.anchors))));
    notes
}

fn seat(seat: Option<Estimate>, draws: f64) -> String {
    let share = 100.0 * draws / (2.0 + draws);
    let seat = match seat {
        Some(seat) => format!("first-move advantage: {}", rating(seat)),
        None => "first-move advantage: not estimable".to_owned(),
    };
    format!("{seat}; draw rate of equal bots: {share:.1}%")
}

fn method(method: IntervalMethod) -> String {
    match method {
        IntervalMethod::T => {
            let many = IntervalMethod::MANY_DEALS;
            format!("± 95% confidence intervals: Student's t over deals (fewer than {many})")
        }
        IntervalMethod::Bootstrap { replicates, seed } => format!(
            "± 95% confidence intervals: bootstrap over deals, {replicates} replicates, seed {seed}"
        ),
    }
}

fn model(model: Model) -> String {
    let by = match model {
        Model::BradleyTerry => "Bradley–Terry model with draws (Davidson)",
        Model::PlackettLuce => "Plackett–Luce model",
        Model::PlackettLucePairs => "Plackett–Luce model, pairwise",
    };
    format!("Elo-scale ratings: {by}; 95% confidence intervals in brackets")
}

fn pairs(pairs: &DuplicateScore) -> String {
    let counts = PentanomialCounts::POINTS.iter().zip(pairs.counts.0);
    let counts: Vec<_> = counts.map(|(points, count)| format!("{points}: {count}")).collect();
    format!(
        "game pairs by points of {} (pentanomial): {}",
        printable(&pairs.name),
        counts.join(", ")
    )
}

fn sprt(state: &SprtState) -> String {
    let SprtState { sprt, llr, lower, upper, decision } = state;
    let decision = match decision {
        SprtDecision::Continue => "undecided",
        SprtDecision::AcceptH0 => "elo0 accepted",
        SprtDecision::AcceptH1 => "elo1 accepted",
    };
    format!("SPRT {sprt}: LLR {llr:.2} ({lower:.2}, {upper:.2}), {decision}")
}

fn crosstable(view: &StandingsView) -> OutputSection {
    square("head-to-head scores in %, row against column", view, |row, column| {
        let score = view.pairing(row, column).and_then(|pairing| pairing.score);
        score.map_or_else(empty_cell, |score| format!("{:.1}", 100.0 * score.value))
    })
}

fn probabilities(view: &StandingsView) -> OutputSection {
    square("probability in % that row is stronger than column", view, |row, column| {
        view.better(row, column).map_or_else(empty_cell, probability)
    })
}

/// A probability in percent.
pub fn probability(better: f64) -> String {
    match 100.0 * better {
        // Nothing that a sample shows is certain.
        percent if percent > 99.9 => ">99.9".to_owned(),
        percent if percent < 0.1 => "<0.1".to_owned(),
        percent => format!("{percent:.1}"),
    }
}

/// A table with a row and a column for each bot.
fn square(
    title: &str,
    view: &StandingsView,
    cell: impl Fn(usize, usize) -> String,
) -> OutputSection {
    let places = || 0..view.rows.len();
    let mut table = vec![vec!["rank".to_owned(), "bot".to_owned()]];
    table[0].extend(view.rows.iter().map(|row| row.rank.to_string()));
    for (place, row) in view.rows.iter().enumerate() {
        let mut cells = vec![row.rank.to_string(), printable(&row.name)];
        cells.extend(places().map(|column| cell(place, column)));
        table.push(cells);
    }
    OutputSection { title: title.to_owned(), table, notes: Vec::new() }
}

fn percent(score: Option<Estimate>) -> String {
    let Some(Estimate { value, interval }) = score else { return empty_cell() };
    let ends = interval.map(|interval| interval.map(|end| 100.0 * end));
    match ends.and_then(|ends| ends.low.zip(ends.high)) {
        // All or nothing is wrong in one way only.
        Some((low, _)) if value >= 1.0 => format!("100.0% (> {low:.1})"),
        Some((_, high)) if value <= 0.0 => format!("0.0% (< {high:.1})"),
        ends => {
            let half = score.and_then(|score| score.plus_minus());
            match (ends, half) {
                // The same distance on the other side is not possible.
                (Some((low, high)), Some(half)) if goes_beyond(value, half, (0.0, 1.0)) => {
                    format!("{:.1}% ({low:.1} to {high:.1})", 100.0 * value)
                }
                _ => with_interval(100.0 * value, "%", 1, half.map(|half| 100.0 * half)),
            }
        }
    }
}

fn margin(margin: Estimate, widest: Option<f64>) -> String {
    let half = margin.plus_minus();
    let is_beyond = half
        .zip(widest)
        .is_some_and(|(half, widest)| goes_beyond(margin.value, half, (-widest, widest)));
    match margin.interval.filter(|_| is_beyond) {
        Some(Interval { low, high }) => with_ends(margin.value, 2, (low, high)),
        None => with_interval(margin.value, "", 2, half),
    }
}

/// Returns true if the value plus or minus this is beyond what is possible.
fn goes_beyond(value: f64, half: f64, (least, most): (f64, f64)) -> bool {
    const ROUNDING: f64 = 1e-9;
    value - half < least - ROUNDING || value + half > most + ROUNDING
}

/// A rating, or what a seat is worth.
fn rating(rating: Estimate) -> String {
    let ends = rating.interval.map_or((None, None), |interval| (interval.low, interval.high));
    with_ends(rating.value, 0, ends)
}

/// The text of an empty cell.
fn empty_cell() -> String {
    "-".to_owned()
}
