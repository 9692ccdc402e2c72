//! What stands in the tables of standings, whatever is drawn around it.

use rules::text::printable;

use crate::report::columns::{some, with_interval};
use crate::standings::{
    Decision, Estimate, Method, Model, PairCounts, PairsOf, Row, SprtState, Standings, View,
};

/// How many of the first columns of a table are words, and aligned to the left.
pub(super) const WORDS: usize = 2;

/// The most bots of whom every two are shown.
const MOST_IN_CROSSTABLE: usize = 20;

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
    let Standings { all, without_forfeits } = standings;
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
    let (games, deals) = (some(view.games, "game"), some(view.deals, "deal"));
    let heading = ["rank", "bot", "games", "won", "drawn", "lost", "score", "rating", "ranks"];
    let heading = heading.iter().chain(&["points a game", "margin", "forfeits"]);
    let mut table = vec![heading.map(ToString::to_string).collect()];
    table.extend(view.rows.iter().map(row));
    Section { title: format!("{title}: {games}{forfeited}, {deals}"), table, notes: notes(view) }
}

fn row(row: &Row) -> Vec<String> {
    let forfeits = row.forfeits.iter().map(|(why, count)| format!("{why} {count}"));
    let forfeits = forfeits.collect::<Vec<_>>().join(", ");
    let ranks = row.rank_interval.map_or_else(none, |ranks| match ranks.best == ranks.worst {
        true => ranks.best.to_string(),
        false => format!("{}-{}", ranks.best, ranks.worst),
    });
    vec![
        row.rank.to_string(),
        printable(&row.name),
        row.games.to_string(),
        row.won.to_string(),
        row.drawn.to_string(),
        row.lost.to_string(),
        percent(row.score),
        number(row.rating, 0),
        ranks,
        match row.games {
            0 => none(),
            games => format!("{:.2}", row.points_for / games as f64),
        },
        number(row.margin, 2),
        if forfeits.is_empty() { none() } else { forfeits },
    ]
}

fn notes(view: &View) -> Vec<String> {
    let mut notes = vec![method(view.method), model(view.model)];
    let scores = || view.rows.iter().filter_map(|row| row.score);
    if view.deals > 1 && scores().any(|score| score.interval.is_none()) {
        notes.push("no interval where every deal came to the same".to_owned());
    }
    if let Some((seat, draws)) = view.seat_advantage.zip(view.draw_parameter) {
        let share = 100.0 * draws / (2.0 + draws);
        let seat = number(Some(seat), 0);
        notes.push(format!("the first seat is worth a rating of {seat}; equals draw {share:.1}%"));
    }
    notes.extend(view.pairs.as_ref().map(pairs));
    notes.extend(view.sprt.as_ref().map(sprt));
    notes
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
        Model::BradleyTerry => "Bradley and Terry's model, with draws and seats",
        Model::PlackettLuce => "Plackett and Luce's model",
        Model::PlackettLucePairs => "Plackett and Luce's model, pair by pair",
    };
    format!("ratings on the scale of Elo by {by}")
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
    score.map_or_else(none, |score| {
        let half = score.plus_minus().map(|half| 100.0 * half);
        with_interval(100.0 * score.value, "%", 1, half)
    })
}

fn number(estimate: Option<Estimate>, decimals: usize) -> String {
    estimate.map_or_else(none, |it| with_interval(it.value, "", decimals, it.plus_minus()))
}

/// What stands where there is nothing.
fn none() -> String {
    "-".to_owned()
}
