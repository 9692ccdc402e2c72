//! The standings of a contest on its first page: who leads, who is really apart, what has moved and how the last games
//! ended.

use std::collections::BTreeMap;

use maud::{Markup, html};

use crate::figures::with_minus;
use crate::html::standings::BotLinks;
use crate::league::frame::LeagueBotLinks;
use crate::league::reading::{LeagueReport, STATISTICS};
use league::index::{GameSeat, IndexError, LeagueIndex};
use standings::{Entrant, Interval, Row, StandingsView};
use text::counted;

/// Most bots that the first page lists, so that it stays light: of more, it shows the first [`FEW`].
const MOST: usize = 30;
const FEW: usize = 25;
/// The last games of a bot that are shown.
const LAST_GAMES: usize = 6;

/// The end of a game for one of its bots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum GameOutcome {
    Won,
    Drawn,
    Lost,
    Forfeited,
}

/// The rank of a bot against the one that it had after the last round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RankChange {
    Up(usize),
    Down(usize),
    Same,
    /// It has come since.
    New,
}

pub(super) fn section(
    reading: &LeagueReport,
    index: &LeagueIndex,
    bots: &LeagueBotLinks<'_>,
) -> Result<Markup, IndexError> {
    let view = &reading.active().all;
    let shown = if view.rows.len() > MOST { FEW } else { view.rows.len() };
    let rows = &view.rows[..shown];
    let scale = RatingScale::new(rows);
    let movements = movements(reading, view, index)?;
    let has_moves = movements.values().any(|movement| *movement != RankChange::Same);
    let open = open_ranks(view);
    let is_last_open =
        |row: &Row| open.is_some_and(|open| open == row.rank && open < view.rows.len());
    let mut forms = Vec::new();
    for row in rows {
        forms.push(match reading.entrant(&row.name) {
            Some(bot) => form(reading, index, bot)?,
            None => Vec::new(),
        });
    }
    Ok(html! {
        section id="standings" aria-labelledby="standings-title" {
            header {
                h2 id="standings-title" { "Standings" }
                input type="search" placeholder="Find a bot" aria-label="Find a bot" data-find="#standings tbody tr" hidden;
            }
            @if view.rows.is_empty() {
                p { "No bots yet: enter some with " code { "arbiter league add" } "." }
            } @else if view.games == 0 {
                p { "No games yet: play some with " code { "arbiter league run" } "." }
            } @else {
                p.say { (verdict(view, open)) }
            }
            @if !rows.is_empty() { table.ranked style=[scale.as_ref().map(RatingScale::band)] {
                caption.hidden { "standings: " (counted(view.games, "game", "games")) }
                thead { tr {
                    th scope="col" { span aria-hidden="true" { "#" } span.hidden { "rank" } }
                    @if has_moves { th scope="col" { span.hidden { "change since the last round" } } }
                    th scope="col" { "bot" }
                    th.axis scope="col" { @if let Some(scale) = &scale {
                        span.scale { span { (signed(scale.low)) } span { "95% interval" } span { (signed(scale.high)) } }
                    } }
                    th.num scope="col" { "rating" }
                    th.num.spare scope="col" { "95%" }
                    th.num.spare scope="col" { "won–drawn–lost" }
                    th scope="col" { "last " (LAST_GAMES) }
                } }
                tbody { @for (row, form) in rows.iter().zip(&forms) { tr class=[is_last_open(row).then_some("cut")] {
                    td.rank { (row.rank) }
                    @if has_moves { (movement(movements.get(&row.name).copied())) }
                    th scope="row" {
                        (bots.name(&row.name)) @if let Some(help) = row.help {
                            " " span.quiet title=(help.meaning()) { (help.name()) }
                        }
                        @if is_chosen(reading, row) { span.quiet { "chosen" } }
                    }
                    td.axis aria-hidden="true" { @if let Some(scale) = &scale { (scale.bar(row, open)) } }
                    td.num.strong { @match row.rating { Some(it) => (signed(it.value)), None => "–" } }
                    td.num.spare.quiet { (interval_text(row)) }
                    td.num.spare { (row.won) "–" (row.drawn) "–" (row.lost) }
                    (form_cell(form))
                } } }
            } }
            @if shown < view.rows.len() {
                p.notes { "The first " (shown) " of " (view.rows.len()) ". " a href=(STATISTICS) { "All standings" } }
            }
        }
    })
}

/// The number of bots that may be the best one, by the intervals of ranks; none where games do not tell.
fn open_ranks(view: &StandingsView) -> Option<usize> {
    let may_lead = |row: &Row| Some(row.rank_interval?.best == 1);
    let all: Option<Vec<bool>> = view.rows.iter().map(may_lead).collect();
    let last = all?.iter().rposition(|it| *it)?;
    (view.groups.len() == 1).then_some(last + 1)
}

/// The meaning of the intervals, in words.
fn verdict(view: &StandingsView, open: Option<usize>) -> Markup {
    let (Some(open), Some(first)) = (open, view.rows.first()) else {
        return match view.groups.len() {
            0 | 1 => html! { b { "Too few games to tell who is better." } },
            _ => {
                html! {
                    b { "Not all bots are linked by games yet. " }
                    "Ratings are comparable only among bots that have met, directly or through other bots."
                }
            }
        };
    };
    let everybody = view.rows.len();
    let per_bot = first.games;
    html! {
        @if open == everybody && everybody > 1 {
            b { "Nothing is decided yet. " }
            "Any bot could still be the best: the leader has played " (counted(per_bot, "game", "games")) "."
        } @else if open == 1 {
            b { (first.name) " is the best bot here. " }
            "For the others, compare the bars: neighbouring ranks are rarely distinguishable."
        } @else {
            b { "Ranks 1 to " (open) " are not decided yet. " }
            "From rank " (open + 1) " on each bot is behind " (first.name) "; neighbouring ranks are rarely distinguishable."
        }
    }
}

/// The scale of all ratings that are shown.
struct RatingScale {
    low: f64,
    high: f64,
    /// The interval of the first bot, as shares of the scale.
    band: [f64; 2],
}

impl RatingScale {
    fn new(rows: &[Row]) -> Option<RatingScale> {
        let ends =
            || rows.iter().filter_map(ends).flat_map(|(low, value, high)| [low, value, high]);
        let step = |number: f64| (number / 20.0).round() * 20.0;
        let low = step(ends().reduce(f64::min)? - 10.0);
        let high = step(ends().reduce(f64::max)? + 10.0).max(low + 20.0);
        let scale = RatingScale { low, high, band: [0.0, 0.0] };
        let (from, _, to) = ends_on(rows.first()?, &scale)?;
        Some(RatingScale { band: [from, to], ..scale })
    }

    fn share(&self, rating: f64) -> f64 {
        ((rating - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
    }

    /// The interval of the first bot, for all rows.
    fn band(&self) -> String {
        let [from, to] = self.band.map(|share| format!("{:.0}%", 100.0 * share));
        format!("--b0:{from};--b1:{to}")
    }

    /// The interval of a bot; those that cannot be the best one are apart.
    fn bar(&self, row: &Row, open: Option<usize>) -> Markup {
        let Some((low, at, high)) = ends_on(row, self) else { return html! {} };
        let percent = |share: f64| format!("{:.0}%", 100.0 * share);
        let is_apart = open.is_some() && row.rank_interval.is_some_and(|it| it.best > 1);
        let (low, at, high) = (percent(low), percent(at), percent(high));
        let bounds = row.rating.and_then(|it| it.interval);
        // The drawing of an end that games do not bound fades out.
        let is_below = bounds.is_some_and(|it| it.low.is_none());
        let is_above = bounds.is_some_and(|it| it.high.is_none());
        html! {
            span.range.apart[is_apart].below[is_below].above[is_above] style=(format!("--lo:{low};--at:{at};--hi:{high}")) { i {} b {} }
        }
    }
}

/// The ends of an interval and its middle; an end that games do not bound is missing.
fn ends(row: &Row) -> Option<(f64, f64, f64)> {
    let rating = row.rating?;
    let (low, high) = rating.interval.map_or((None, None), |it| (it.low, it.high));
    Some((low.unwrap_or(rating.value), rating.value, high.unwrap_or(rating.value)))
}

/// The same as shares of a scale, where a missing end reaches to the edge.
fn ends_on(row: &Row, scale: &RatingScale) -> Option<(f64, f64, f64)> {
    let rating = row.rating?;
    let (low, high) = rating.interval.map_or((None, None), |it| (it.low, it.high));
    let share = |end: Option<f64>, edge: f64| end.map_or(edge, |end| scale.share(end));
    Some((share(low, 0.0), scale.share(rating.value), share(high, 1.0)))
}

/// Half of the interval of a rating, as `±51`; its only end, as `> −76`, where games do not bound the other.
pub(super) fn interval_text(row: &Row) -> String {
    match row.rating.and_then(|it| it.interval) {
        Some(Interval { low: Some(low), high: Some(high) }) => {
            format!("±{:.0}", (high - low) / 2.0)
        }
        Some(Interval { low: Some(low), high: None }) => format!("> {}", signed(low)),
        Some(Interval { low: None, high: Some(high) }) => format!("< {}", signed(high)),
        _ => "–".to_owned(),
    }
}

/// A rating with a true minus.
pub(super) fn signed(number: f64) -> String {
    with_minus(format!("{number:.0}"))
}

/// Returns true for a version that plays because it was chosen.
fn is_chosen(reading: &LeagueReport, row: &Row) -> bool {
    let bot = reading.entrant(&row.name);
    let member = bot.and_then(|bot| reading.league.members().get(bot.0));
    member.is_some_and(|member| member.chosen.is_some())
}

/// The movement of each bot since the last round, where all are on one scale.
fn movements(
    reading: &LeagueReport,
    view: &StandingsView,
    index: &LeagueIndex,
) -> Result<BTreeMap<String, RankChange>, IndexError> {
    let rounds = reading.league.rounds();
    let Some(last) = rounds.last().filter(|_| view.groups.len() == 1) else {
        return Ok(BTreeMap::new());
    };
    let named: Vec<(&Row, Entrant)> =
        view.rows.iter().filter_map(|row| Some((row, reading.entrant(&row.name)?))).collect();
    let entrants: Vec<Entrant> = named.iter().map(|(_, bot)| *bot).collect();
    let before = index.ratings_before(last.line.round, &entrants)?;
    if before.iter().all(Option::is_none) {
        return Ok(BTreeMap::new());
    }
    // Those that were there before, in the order of today and in the one of then.
    let now: Vec<usize> = (0..named.len()).filter(|it| before[*it].is_some()).collect();
    let mut then = now.clone();
    then.sort_by(|one, other| {
        before[*other].partial_cmp(&before[*one]).unwrap_or(std::cmp::Ordering::Equal)
    });
    let mut movements: BTreeMap<String, RankChange> =
        named.iter().map(|(row, _)| (row.name.clone(), RankChange::New)).collect();
    let now: BTreeMap<usize, usize> = now.into_iter().zip(0..).collect();
    for (then, place) in then.into_iter().enumerate() {
        let movement = match now[&place] {
            now if now < then => RankChange::Up(then - now),
            now if now > then => RankChange::Down(now - then),
            _ => RankChange::Same,
        };
        movements.insert(named[place].0.name.clone(), movement);
    }
    Ok(movements)
}

fn movement(movement: Option<RankChange>) -> Markup {
    html! { @match movement {
        Some(RankChange::Up(ranks)) => td.move.up { span.hidden { "up " } span aria-hidden="true" { "▲" } (ranks) },
        Some(RankChange::Down(ranks)) => td.move.down { span.hidden { "down " } span aria-hidden="true" { "▼" } (ranks) },
        Some(RankChange::New) => td.move { "new" },
        Some(RankChange::Same) | None => td.move {},
    } }
}

/// The outcomes of the last games of a bot, the latest last. Games of the open round are not among them.
fn form(
    reading: &LeagueReport,
    index: &LeagueIndex,
    bot: Entrant,
) -> Result<Vec<GameOutcome>, IndexError> {
    let mut outcomes = Vec::new();
    // Some may be void.
    for own in index.seats(&[bot], None, 2 * LAST_GAMES)?.iter().filter(|seat| !seat.is_void) {
        if outcomes.len() == LAST_GAMES {
            break;
        }
        let seats = match own.fault.is_none() && own.place == 1 {
            true => index.seats_of(own.game, &table_of(reading, own))?,
            false => Vec::new(),
        };
        outcomes.push(outcome(own, &seats));
    }
    outcomes.reverse();
    Ok(outcomes)
}

/// The bots at the table of a game.
fn table_of(reading: &LeagueReport, seat: &GameSeat) -> Vec<Entrant> {
    let league = &reading.league;
    let Some(round) = league.rounds().iter().find(|it| it.line.round == seat.game.round) else {
        return Vec::new();
    };
    let tables = round.line.tables.len().max(1) as u64;
    let place = (seat.game.game / league.seats().max(1) as u64) % tables;
    let table = usize::try_from(place).ok().and_then(|place| round.line.tables.get(place));
    let bots = table.map_or(&[][..], |table| &table.bots);
    let version = |bot: &usize| round.line.bots.get(*bot).map(ToString::to_string);
    bots.iter().filter_map(|bot| reading.entrant(&version(bot)?)).collect()
}

/// The outcome of a game for one of its seats; `all` has the seats of a game with a first place for it.
fn outcome(own: &GameSeat, all: &[GameSeat]) -> GameOutcome {
    match own {
        GameSeat { fault: Some(_), .. } => GameOutcome::Forfeited,
        GameSeat { place: 1, .. } if all.iter().filter(|seat| seat.place == 1).count() > 1 => {
            GameOutcome::Drawn
        }
        GameSeat { place: 1, .. } => GameOutcome::Won,
        _ => GameOutcome::Lost,
    }
}

fn form_cell(form: &[GameOutcome]) -> Markup {
    let word = |it: &GameOutcome| match it {
        GameOutcome::Won => "won",
        GameOutcome::Drawn => "drawn",
        GameOutcome::Lost => "lost",
        GameOutcome::Forfeited => "forfeited",
    };
    let words: Vec<&str> = form.iter().map(word).collect();
    html! { td.form {
        @if !form.is_empty() { span.hidden { (words.join(" ")) } }
        @for outcome in form { @match outcome {
            GameOutcome::Won => i.w {},
            GameOutcome::Drawn => i {},
            GameOutcome::Lost => i.l {},
            GameOutcome::Forfeited => i.f {},
        } }
    } }
}
