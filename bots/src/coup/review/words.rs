//! How a move differs from a better one, in words that other decisions share.

use rules::Request;
use rules::coup::{Action, Character, Counts, Coup, Debt, Hand, Move};

/// How the move played differs from a better one, in at most 80 characters.
pub(super) fn difference(request: &Request<Coup>, played: Move, better: Move) -> String {
    let hand = request.view.hand;
    match (played, better) {
        (Move::Act(played), Move::Act(better)) => between_actions(hand, played, better),
        (Move::Keep(played), Move::Keep(better)) => between_hands(played, better),
        (Move::Lose(lost), Move::Lose(better)) => {
            format!("loses the {lost} and keeps the {better}")
        }
        (Move::Challenge, _) => match claim(request) {
            Some(card) if is_block(request) => format!("challenges a block by {}", a(card)),
            Some(card) => format!("challenges {}", a(card)),
            None => "challenges".to_owned(),
        },
        (Move::Block(played), Move::Block(better)) if hand.contains(better) => {
            let blocked = blocked(request);
            format!("blocks {blocked} as {played} and not with the {better} it holds")
        }
        (Move::Block(card), _) if hand.contains(card) => {
            format!("blocks {} with the {card} it holds", blocked(request))
        }
        (Move::Block(card), _) => format!("blocks {} as {card} in a bluff", blocked(request)),
        (_, Move::Challenge) => match claim(request) {
            Some(card) if is_block(request) => {
                format!("does not challenge a block by {}", a(card))
            }
            Some(card) => format!("does not challenge {}", a(card)),
            None => "does not challenge".to_owned(),
        },
        (_, Move::Block(card)) if hand.contains(card) => {
            format!("does not block {} with the {card} it holds", blocked(request))
        }
        (_, Move::Block(card)) => {
            format!("does not block {} as {card} in a bluff", blocked(request))
        }
        (_, Move::Pass) => format!("does not let {} pass", blocked(request)),
        (played, better) => format!("plays {} and not {}", verb(played), verb(better)),
    }
}

fn between_actions(hand: Hand, played: Action, better: Action) -> String {
    let holds = |action: Action| action.claim().is_none_or(|card| hand.contains(card));
    let thing = match (better, better.claim()) {
        (_, Some(card)) if !holds(better) => format!("a bluff as {card}"),
        (Action::Income, _) => "income".to_owned(),
        (Action::ForeignAid, _) => "foreign aid".to_owned(),
        (Action::Coup(_), _) => return "does not coup".to_owned(),
        (Action::Tax, _) => "a tax".to_owned(),
        (Action::Assassinate(_), _) => "an assassination".to_owned(),
        (Action::Steal(_), _) => "a theft".to_owned(),
        (Action::Exchange, _) => "an exchange".to_owned(),
    };
    let does = match (played, played.claim()) {
        (_, Some(card)) if !holds(played) => return format!("bluffs as {card}"),
        (Action::Income, _) => "takes income",
        (Action::ForeignAid, _) => "takes foreign aid",
        (Action::Coup(_), _) => "makes a coup",
        (Action::Tax, _) => "takes a tax",
        (Action::Assassinate(_), _) => "assassinates",
        (Action::Steal(_), _) => "steals",
        (Action::Exchange, _) => "exchanges",
    };
    format!("{does} where {thing} would be better")
}

fn between_hands(played: Hand, better: Hand) -> String {
    let more = |one: Hand, other: Hand| -> Vec<String> {
        let [one, other]: [Counts; 2] = [one, other].map(|hand| hand.into_iter().collect());
        let differ = Character::ALL.into_iter().flat_map(|card| {
            let times = one.count(card).saturating_sub(other.count(card)) as usize;
            std::iter::repeat_n(format!("the {card}"), times)
        });
        differ.collect()
    };
    let (kept, put_back) = (more(played, better), more(better, played));
    format!("keeps {}, puts back {}", kept.join(" and "), put_back.join(" and "))
}

/// The claim that can be challenged.
fn claim(request: &Request<Coup>) -> Option<Character> {
    request.view.claim().map(|(_, card)| card)
}

/// Returns true if the claim is that of a block.
fn is_block(request: &Request<Coup>) -> bool {
    matches!(request.view.owed.last(), Some(Debt::Accept(..)))
}

/// What can be blocked or let pass.
fn blocked(request: &Request<Coup>) -> &'static str {
    match request.view.action {
        _ if is_block(request) => "a block",
        Some(Action::ForeignAid) => "foreign aid",
        Some(Action::Assassinate(_)) => "an assassination",
        Some(Action::Steal(_)) => "a theft",
        Some(Action::Tax) => "a tax",
        Some(Action::Exchange) => "an exchange",
        _ => "it",
    }
}

/// The card with its article.
fn a(card: Character) -> String {
    match card {
        Character::Ambassador | Character::Assassin => format!("an {card}"),
        _ => format!("a {card}"),
    }
}

/// The first word of a move, whatever it is about.
fn verb(mv: Move) -> &'static str {
    match mv {
        Move::Act(_) => "an action",
        Move::Pass => "pass",
        Move::Challenge => "challenge",
        Move::Block(_) => "block",
        Move::Show(_) => "show",
        Move::Lose(_) => "lose",
        Move::Keep(_) => "keep",
        Move::End => "end",
    }
}
