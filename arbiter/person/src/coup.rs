//! A person who plays Coup.

use bots::coup::Coup;
use rules::coup::{Action, Character, Event, Move, Obligation, View};
use rules::subject::SentenceSubject;
use rules::{PerSeat, Request, Seat};
use text::columns::{padded, widest};

use crate::playable::{FinishedGame, Playable};

impl Playable for Coup {
    fn situation(view: &View, own: Seat, names: &PerSeat<String>) -> String {
        let width = widest(names.values());
        let mut text = String::from("\n");
        for (seat, name) in names.iter() {
            let hand = match (seat == own, view.hands[seat]) {
                (true, _) => view.hand.to_string(),
                // A seat of two without cards has lost, and nothing is asked any more.
                (false, 0) if names.count() > 2 => "no card left".to_owned(),
                (false, count) => vec!["??"; count as usize].join(" "),
            };
            let lost = match view.lost[seat].is_empty() {
                true => String::new(),
                false => format!(", lost {}", view.lost[seat]),
            };
            let coins = coins(view.coins[seat]);
            text.push_str(&format!("{}  {coins}, {hand}{lost}\n", padded(name, width)));
        }
        text
    }

    fn question(request: &Request<Coup>, names: &PerSeat<String>) -> String {
        question(request, names)
    }

    fn in_words(mv: &Move, request: &Request<Coup>, names: &PerSeat<String>) -> String {
        let claim = claim_of(mv).map_or("", |character| {
            if request.view.hand.contains(character) { "" } else { " (a bluff)" }
        });
        format!("{}{claim}", describe_move(mv, request, names))
    }

    fn reason(mv: &Move, request: &Request<Coup>) -> String {
        let holds = |character| request.view.hand.contains(character);
        let reason = match mv {
            Move::Act(Action::Coup(_)) => "it costs another player a card, and nothing can stop it",
            Move::Act(_) if claim_of(mv).is_some() => {
                "you hold the card, so a challenge would fail, and nothing stronger is as safe"
            }
            Move::Act(_) => "you hold no card for a stronger action",
            Move::Block(card) if holds(*card) => "you hold the card, so a challenge would fail",
            Move::Block(_) => "without a block you lose the game",
            Move::Challenge => "the cards you see rule the claim out, or you have nothing to lose",
            Move::Pass => "you hold no card against it, and the claim may be true",
            Move::Show(_) => "the card proves the claim",
            Move::Lose(_) => "it is your least valuable card",
            Move::Keep(_) => "these cards are worth most together",
            Move::End => "nothing else is left to do",
        };
        reason.to_owned()
    }

    fn revealed(ended: &FinishedGame<'_>) -> String {
        let FinishedGame { game, names, .. } = ended;
        let width = widest(names.values());
        let mut got: PerSeat<Vec<String>> = PerSeat::new(names.count(), |_| Vec::new());
        for event in &game.events {
            let (to, told) = match event.parse() {
                Ok(Event::Deal { to, cards }) => (to, format!("dealt {cards}")),
                Ok(Event::Draw { to, cards }) => (to, format!("drew {cards}")),
                _ => continue,
            };
            if names.has(to) {
                got[to].push(told);
            }
        }
        let views = ended.views();
        let holds = |seat: Seat| {
            let view = views[seat].parse::<View>().ok()?;
            Some(view.hand.to_string()).filter(|hand| !hand.is_empty())
        };
        let line = |(seat, name): (Seat, &String)| {
            let voice = SentenceSubject::new(name);
            let holds = match holds(seat) {
                Some(hand) => format!("{} {hand}", voice.verb("hold")),
                None => format!("{} no card left", voice.verb("have")),
            };
            format!("  {}  {holds} ({})\n", padded(voice.subject(), width), got[seat].join(", "))
        };
        names.iter().map(line).collect()
    }
}

fn question(request: &Request<Coup>, names: &PerSeat<String>) -> String {
    let claim = request.view.claim();
    let claim = claim.map(|(seat, character)| (SentenceSubject::new(&names[seat]), character));
    match (request.view.owed.last(), claim) {
        (Some(Obligation::Act(_)), _) => "your turn:\n".to_owned(),
        (Some(Obligation::Answer(_)), Some((voice, character))) => {
            format!(
                "{} {} {character}{}:\n",
                voice.subject(),
                voice.verb("claim"),
                against(request, names)
            )
        }
        (Some(Obligation::Answer(_)), None) => "your answer to the action:\n".to_owned(),
        (Some(Obligation::Accept(..)), Some((voice, character))) => {
            let (claim, block) = (voice.verb("claim"), voice.verb("block"));
            format!("{} {claim} {character} and {block}:\n", voice.subject())
        }
        (Some(Obligation::Block(_)), _) => {
            "the claim was true, your answer to the action:\n".to_owned()
        }
        (Some(Obligation::Prove(_, character)), _) => {
            format!("you are challenged to show {character}:\n")
        }
        (Some(Obligation::Keep(_)), _) => "which cards do you keep:\n".to_owned(),
        (Some(Obligation::Lose(_)), _) => "which card do you give up:\n".to_owned(),
        _ => String::new(),
    }
}

/// The target of the action, where there are several seats to choose from.
fn against(request: &Request<Coup>, names: &PerSeat<String>) -> String {
    let target = request.view.action.and_then(Action::target);
    let named = target.filter(|target| names.count() > 2 && names.has(*target));
    named.map_or(String::new(), |target| format!(" against {}", names[target]))
}

fn claim_of(mv: &Move) -> Option<Character> {
    match mv {
        Move::Act(action) => action.claim(),
        Move::Block(character) => Some(*character),
        _ => None,
    }
}

fn describe_move(mv: &Move, request: &Request<Coup>, names: &PerSeat<String>) -> String {
    let purse = |seat: Seat| request.view.coins[seat];
    let lose = |seat: Seat| {
        format!("{} {} a card", names[seat], SentenceSubject::new(&names[seat]).verb("lose"))
    };
    match mv {
        Move::Act(Action::Income) => "take 1 coin".to_owned(),
        Move::Act(Action::ForeignAid) => "take 2 coins, unless a duke blocks it".to_owned(),
        Move::Act(Action::Coup(seat)) => format!("pay 7 coins: {}", lose(*seat)),
        Move::Act(Action::Tax) => "claim duke: take 3 coins".to_owned(),
        Move::Act(Action::Assassinate(seat)) => {
            format!("claim assassin and pay 3 coins: {}", lose(*seat))
        }
        Move::Act(action @ Action::Steal(seat)) => {
            let stolen = coins(action.brings(purse(*seat)));
            format!("claim captain: take {stolen} from {}", names[*seat])
        }
        Move::Act(Action::Exchange) => "claim ambassador: exchange cards with the deck".to_owned(),
        Move::Pass => "let it pass".to_owned(),
        Move::Challenge => "challenge it: the player who is wrong loses a card".to_owned(),
        Move::Block(character) => format!("claim {character}: block it"),
        Move::Show(character) => format!("show {character}, and draw another card for it"),
        Move::Lose(character) => format!("give up {character}"),
        Move::Keep(cards) => format!("keep {cards}"),
        Move::End => "end the turn".to_owned(),
    }
}

fn coins(count: u32) -> String {
    if count == 1 { "1 coin".to_owned() } else { format!("{count} coins") }
}
