//! Games to play in one click: a card for each game, on the first page of a site and on the page on which games are
//! chosen.

use maud::{Markup, html};
use rules::GameKind;

use crate::people::{OfferedBot, OfferedGame, TableOffer};
use report::html::bot::rules_in_words;

/// The sheet of these cards.
pub(crate) const STYLE: &str = "home.css";

/// The cards of all games that are offered; `way` leads to the page on which games are chosen.
pub(crate) fn games(offer: &TableOffer, way: &str) -> Markup {
    html! {
        div.offers { @for game in &offer.games { (card(game, &offer.opponents, way)) } }
    }
}

fn card(game: &OfferedGame, opponents: &[OfferedBot], way: &str) -> Markup {
    let name = game.kind.name();
    let least = game.seats.iter().min().copied().unwrap_or(2);
    let most = game.seats.iter().max().copied().unwrap_or(2);
    let playable = || opponents.iter().filter(|it| !it.is_built_in || plays(it, &game.kind));
    let Some(first) = first_opponent(playable()) else { return html! {} };
    let about = game.kind.about();
    let against = match least {
        2 => first.name.clone(),
        _ => format!("{} bots", least - 1),
    };
    html! {
        section.offer id=(name) aria-labelledby={ (name) "-title" } {
            div.art aria-hidden="true" { @if let Some(art) = art(name) { img src={ (way) "../assets/" (art) } alt="" width="400" height="168"; } }
            div.text {
                h2 id={ (name) "-title" } { (about.title) }
                @if let Some(line) = in_a_line(name) { p.quiet { (line) } }
                form.choose method="post" action=[(!way.is_empty()).then_some(way)] {
                    button.btn.main type="submit" name="game" value=(name) { "Play against " (against) }
                    details {
                        summary { "More options" }
                        div.fields {
                            @for number in 1..most {
                                label { "Bot " @if most > 2 { (number) " " } select name="bot" required[number < least] {
                                    @if number >= least { option value="" { "none" } }
                                    @for opponent in playable() {
                                        @let is_first = number < least && opponent.name == first.name;
                                        option value=(opponent.name) selected[is_first] { (opponent.name) }
                                    }
                                } }
                            }
                            label { "Your seat " select name="seat" {
                                @for seat in 0..most { option value=(seat) { (seat) } }
                            } }
                            label { "Your name " input name="name" value="you" maxlength="32" required autocomplete="off"; }
                        }
                    }
                }
                p.quiet {
                    a href={ (way) "rules/#" (name) } { "Rules summary" }
                    @if let Some(options) = &game.options { " · options: " (options) }
                    @if let Some(id) = game.kind.rules_id() { " · rules: " (rules_in_words(id)) }
                }
            }
        }
    }
}

/// The drawing of a game, if there is one.
fn art(game: &str) -> Option<&'static str> {
    let drawn = [("tablic", "tablic.svg"), ("coup", "coup.svg"), ("durak", "durak.svg")];
    drawn.into_iter().find(|(name, _)| *name == game).map(|(_, file)| file)
}

/// The aim of a game in one line.
fn in_a_line(game: &str) -> Option<&'static str> {
    match game {
        "tablic" => Some("Take cards that add up to yours."),
        "coup" => Some("Say who you are. Maybe it is true."),
        "durak" => Some("Do not be the last with cards."),
        _ => None,
    }
}

/// The preselected opponent: the first one that does not play at random.
fn first_opponent<'a>(
    mut opponents: impl Iterator<Item = &'a OfferedBot> + Clone,
) -> Option<&'a OfferedBot> {
    // In a league a bot has its version behind its name.
    let is_random = |name: &str| name.split('@').next() == Some(bots::programs::RANDOM.name);
    let any = opponents.clone().next();
    opponents.find(|it| !is_random(&it.name)).or(any)
}

fn plays(candidate: &OfferedBot, kind: &GameKind) -> bool {
    bots::programs::playing(kind).any(|program| program.name == candidate.name)
}
