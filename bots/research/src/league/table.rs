//! Results of replays, as tables in Markdown.

use super::chooser::Rule;
use super::replay::{After, Setting};
use super::scenario::Scenario;
use super::simulation::{Found, Look, Mean, UntilSure};

/// The heading of the table with a [`row`] for each scenario and rule.
pub const HEADING: &str = "\
| league | tables by | intervals that hold the truth, in % | equal pairs called, in % | bias outwards, Elo | order right, games | until sure: games, right, stopped |
| --- | --- | --- | --- | --- | --- | --- |
";

/// Row of a scenario under a rule, with the results after each of its looks and their errors.
pub fn row(scenario: &Scenario, rule: Rule, found: &Found) -> String {
    let looks = |of: fn(&Look) -> Option<Mean>, unit: f64| {
        let means: Vec<String> = (0..scenario.looks.len())
            .map(|look| match found.looks.get(look).and_then(of) {
                Some(Mean { value, error }) => format!("{:.1} ± {:.1}", unit * value, unit * error),
                None => "-".to_owned(),
            })
            .collect();
        if means.iter().all(|mean| mean == "-") { "-".to_owned() } else { means.join(" / ") }
    };
    let in_order = match (found.in_order, found.until_sure) {
        (Some(games), _) => games.to_string(),
        (None, Some(_)) => format!("> {}", scenario.games),
        (None, None) => "-".to_owned(),
    };
    let until_sure = match found.until_sure {
        None => "-".to_owned(),
        Some(UntilSure { stopped, games: Some(games), right: Some(right) }) => {
            format!("{games:.0}, {:.1}%, {:.0}%", 100.0 * right, 100.0 * stopped)
        }
        Some(_) => "0% stopped".to_owned(),
    };
    format!(
        "| {} | {rule} | {} | {} | {} | {in_order} | {until_sure} |",
        scenario.name,
        looks(|look| look.coverage, 100.0),
        looks(|look| look.called, 100.0),
        looks(|look| look.bias, 1.0),
    )
}

/// Number of games after which the share of replays with the right order is this one or more, and never
/// less after a later round; none if that is not so within the rounds.
pub fn games_until(share: f64, afters: &[After], setting: &Setting) -> Option<u64> {
    let last_below = afters.iter().rposition(|after| after.right < share);
    let round = last_below.map_or(0, |round| round + 1);
    (round < afters.len()).then(|| games(round, setting))
}

/// Number of games up to the end of a round, counted from 0.
fn games(round: usize, setting: &Setting) -> u64 {
    (round as u64 + 1) * setting.tables.get() as u64 * u64::from(setting.deals.get()) * 2
}

/// A table of the players with their ratings, and one of both ways to choose.
pub fn markdown(
    players: &[(String, f64)],
    setting: &Setting,
    league: &[After],
    robin: &[After],
) -> String {
    let mut text = "| player | Elo |\n| --- | ---: |\n".to_owned();
    text.extend(players.iter().map(|(player, elo)| format!("| {player} | {elo:.1} |\n")));
    text.push_str("\n| games | league: order right | pairs right | round robin: order right | pairs right |\n");
    text.push_str("| ---: | ---: | ---: | ---: | ---: |\n");
    let step = (league.len() / 12).max(1);
    for (round, (one, other)) in league.iter().zip(robin).enumerate() {
        if (round + 1) % step == 0 {
            let shares = [one.right, one.pairs, other.right, other.pairs];
            let shares = shares.map(|share| format!(" {:.1}% |", 100.0 * share)).concat();
            text.push_str(&format!("| {} |{shares}\n", games(round, setting)));
        }
    }
    text.push_str(
        "\n| order right from then on in | league | round robin |\n| ---: | ---: | ---: |\n",
    );
    for share in [0.5, 0.8, 0.9, 0.95] {
        let until = |afters: &[After]| {
            games_until(share, afters, setting).map_or("-".to_owned(), |games| games.to_string())
        };
        let (one, other) = (until(league), until(robin));
        text.push_str(&format!("| {:.0}% | {one} | {other} |\n", 100.0 * share));
    }
    text
}
