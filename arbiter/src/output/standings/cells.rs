//! The cells of the tables of standings, for every format.

use rules::text::printable;

use crate::standings::{
    Decision, Estimate, Group, Interval, Method, Model, PairCounts, PairsOf, Row, SprtState,
    Standings, View,
};
use crate::text::columns::{with_ends, with_interval};
use crate::text::counted;

/// How many of the first columns of a table are words, and aligned to the left.
pub(super) const WORDS: usize = 2;

/// The most bots for which every pair is shown.
const MOST_IN_CROSSTABLE: usize = 20;

/// The most names in a list of them.
const MOST_NAMES: usize = 8;

/// What stands behind the name of a bot that was granted the network.
pub(crate) const ONLINE: &str = " *";

/// What that means.
pub(crate) const ABOUT_ONLINE: &str =
    "*: was granted the network, where others may have told it moves";

/// A part of the standings.
pub(crate) struct Section {
    /// What stands above its table.
    pub(crate) title: String,
    /// The heading and the rows; the first [`WORDS`] columns are words.
    pub(crate) table: Vec<Vec<String>>,
    /// What stands below it, a line each.
    pub(crate) notes: Vec<String>,
}

/// All parts, in order.
pub(super) fn sections(standings: &Standings) -> Vec<Section> {
    let Standings { all, without_forfeits, .. } = standings;
    let mut sections = vec![rows("standings", all)];
    if all.forfeited > 0 {
        sections.push(rows("standings without forfeited games", without_forfeits));
    }
    if all.games > 0 && all.rows.len() <= MOST_IN_CROSSTABLE {
        sections.push(crosstable(all));
        sections.push(probabilities(all));
    }
    sections
}

/// The bots of a view, the best first.
pub(crate) fn rows(title: &str, view: &View) -> Section {
    let forfeited = match view.forfeited {
        0 => String::new(),
        forfeited => format!(", {forfeited} forfeited"),
    };
    let (games, deals) =
        (counted(view.games, "game", "games"), counted(view.deals, "deal", "deals"));
    let heading = ["rank", "bot", "games", "won", "drawn", "lost", "score", "rating", "ranks"];
    let heading = heading.iter().chain(&["points a game", "margin", "forfeits"]);
    let mut table = vec![heading.map(ToString::to_string).collect()];
    table.extend(view.rows.iter().map(row));
    Section { title: format!("{title}: {games}{forfeited}, {deals}"), table, notes: notes(view) }
}

fn row(row: &Row) -> Vec<String> {
    let ranks = row.rank_interval.map_or_else(none, |ranks| match ranks.best == ranks.worst {
        true => ranks.best.to_string(),
        false => format!("{}-{}", ranks.best, ranks.worst),
    });
    vec![
        row.rank.to_string(),
        format!("{}{}", printable(&row.name), if row.network { ONLINE } else { "" }),
        row.games.to_string(),
        row.won.to_string(),
        row.drawn.to_string(),
        row.lost.to_string(),
        percent(row.score),
        row.rating.map_or_else(none, rating),
        ranks,
        match row.games {
            0 => none(),
            games => format!("{:.2}", row.points_for / games as f64),
        },
        row.margin.map_or_else(none, margin),
        if row.forfeits.is_empty() { none() } else { forfeits(row) },
    ]
}

/// How many games a bot forfeited, by the verdict.
pub(crate) fn forfeits(row: &Row) -> String {
    let forfeits = row.forfeits.iter().map(|(why, count)| format!("{why} {count}"));
    forfeits.collect::<Vec<_>>().join(", ")
}

fn notes(view: &View) -> Vec<String> {
    let mut notes = vec![method(view.method), model(view.model)];
    notes.extend(ends(view));
    notes.extend(groups(view));
    notes.extend(view.rows.iter().any(|row| row.network).then(|| ABOUT_ONLINE.to_owned()));
    if (1..Method::FEWEST_DEALS).contains(&view.deals) {
        let fewest = Method::FEWEST_DEALS;
        notes.push(format!(
            "with fewer than {fewest} deals, ratings have no intervals, ranks or probabilities"
        ));
    }
    if view.deals > 1
        && view.rows.iter().any(|row| row.margin.is_some_and(|it| it.interval.is_none()))
    {
        notes.push("no interval for a margin that was the same in every deal".to_owned());
    }
    notes.extend(view.draw_parameter.map(|draws| seat(view.seat_advantage, draws)));
    notes.extend(view.pairs.as_ref().map(pairs));
    notes.extend(view.sprt.as_ref().map(sprt));
    notes
}

/// What `>` and `<` mean, if there are any.
fn ends(view: &View) -> Option<String> {
    let intervals = view.rows.iter().filter_map(|row| row.rating?.interval);
    let is_open = |interval: Interval| interval.low.is_none() || interval.high.is_none();
    let is_any_open = intervals.into_iter().any(is_open);
    is_any_open.then(|| {
        "> and <: a bot that won or lost everything against others has an interval with one end"
            .to_owned()
    })
}

/// Which bots cannot be compared, and what is 0 where it is not the mean of all.
fn groups(view: &View) -> Vec<String> {
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
            "bots of {} groups never met, compare ratings only within one: {groups}",
            view.groups.len(),
        ));
    }
    let has_others = |group: &&Group| group.anchors.len() < group.bots.len();
    let of_some = view.groups.iter().filter(has_others).take(MOST_NAMES);
    notes.extend(
        of_some.map(|group| format!("a rating of 0 is the mean of {}", names(&group.anchors))),
    );
    notes
}

fn seat(seat: Option<Estimate>, draws: f64) -> String {
    let share = 100.0 * draws / (2.0 + draws);
    let seat = match seat {
        Some(seat) => format!("the first seat is worth a rating of {}", rating(seat)),
        None => "the value of the first seat cannot be estimated".to_owned(),
    };
    format!("{seat}; equals draw {share:.1}%")
}

fn method(method: Method) -> String {
    match method {
        Method::T => {
            let many = Method::MANY_DEALS;
            format!("± 95% intervals by Student's t over deals, as there are fewer than {many}")
        }
        Method::Bootstrap { replicates, seed } => format!(
            "± 95% intervals by a bootstrap over deals of {replicates} replicates, seed {seed}"
        ),
    }
}

fn model(model: Model) -> String {
    let by = match model {
        Model::BradleyTerry => "Bradley and Terry's model, with draws",
        Model::PlackettLuce => "Plackett and Luce's model",
        Model::PlackettLucePairs => "Plackett and Luce's model, pair by pair",
    };
    format!("ratings on the scale of Elo by {by}; 95% intervals in brackets")
}

fn pairs(pairs: &PairsOf) -> String {
    let counts = PairCounts::POINTS.iter().zip(pairs.counts.0);
    let counts: Vec<_> = counts.map(|(points, count)| format!("{points}: {count}")).collect();
    format!("pairs of games by the points of {}: {}", printable(&pairs.name), counts.join(", "))
}

fn sprt(state: &SprtState) -> String {
    let SprtState { sprt, llr, lower, upper, decision } = state;
    let decision = match decision {
        Decision::Continue => "not decided",
        Decision::AcceptH0 => "decided for elo0",
        Decision::AcceptH1 => "decided for elo1",
    };
    format!("{sprt}: log-likelihood ratio {llr:.2} ({lower:.2}, {upper:.2}), {decision}")
}

fn crosstable(view: &View) -> Section {
    square("scores in % of bots in rows against those in columns", view, |row, column| {
        let score = view.pairing(row, column).and_then(|pairing| pairing.score);
        score.map_or_else(none, |score| format!("{:.1}", 100.0 * score.value))
    })
}

fn probabilities(view: &View) -> Section {
    square("probabilities in % that bots in rows are better", view, |row, column| {
        let better = view.pairing(row, column).and_then(|pairing| pairing.better);
        better.map_or_else(none, probability)
    })
}

/// A probability in percent.
pub(crate) fn probability(better: f64) -> String {
    match 100.0 * better {
        // Nothing that a sample shows is certain.
        percent if percent > 99.9 => ">99.9".to_owned(),
        percent if percent < 0.1 => "<0.1".to_owned(),
        percent => format!("{percent:.1}"),
    }
}

/// A table with a row and a column for each bot.
fn square(title: &str, view: &View, cell: impl Fn(usize, usize) -> String) -> Section {
    let places = || 0..view.rows.len();
    let mut table = vec![vec!["rank".to_owned(), "bot".to_owned()]];
    table[0].extend(view.rows.iter().map(|row| row.rank.to_string()));
    for (place, row) in view.rows.iter().enumerate() {
        let mut cells = vec![row.rank.to_string(), printable(&row.name)];
        cells.extend(places().map(|column| cell(place, column)));
        table.push(cells);
    }
    Section { title: title.to_owned(), table, notes: Vec::new() }
}

fn percent(score: Option<Estimate>) -> String {
    let Some(Estimate { value, interval }) = score else { return none() };
    let ends = interval.map(|interval| interval.map(|end| 100.0 * end));
    match ends.and_then(|ends| ends.low.zip(ends.high)) {
        // All or nothing is wrong in one way only.
        Some((low, _)) if value >= 1.0 => format!("100.0% (> {low:.1})"),
        Some((_, high)) if value <= 0.0 => format!("0.0% (< {high:.1})"),
        _ => {
            let half = score.and_then(|score| score.plus_minus());
            with_interval(100.0 * value, "%", 1, half.map(|half| 100.0 * half))
        }
    }
}

fn margin(margin: Estimate) -> String {
    with_interval(margin.value, "", 2, margin.plus_minus())
}

/// A rating, or what a seat is worth.
fn rating(rating: Estimate) -> String {
    let ends = rating.interval.map_or((None, None), |interval| (interval.low, interval.high));
    with_ends(rating.value, 0, ends)
}

/// The text of an empty cell.
fn none() -> String {
    "-".to_owned()
}
