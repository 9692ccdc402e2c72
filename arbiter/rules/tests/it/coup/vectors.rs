//! Coup and its classic dialect against vectors made by an independent implementation.

use rules::Prompt;
use rules::coup::Coup;
use rules::coup::Hand;
use rules::coup::classic::file;
use rules::dialect::Strictness;
use rules::{Answer, Dialect, GameKind, GameTerms, PerSeat, Referee, Score, Seed, Verdict};
use serde::Deserialize;

use crate::coup::scene;
use crate::coup::scene::effects::{self, After, Effect};
use crate::coup::scene::{Scene, lines, seat};
use crate::refereed;

const LEGAL: &str = include_str!("../../vectors/coup-legal.jsonl");
const GAMES: &str = include_str!("../../vectors/coup-games.jsonl");

const CLASSIC: Dialect = Dialect::Classic(Strictness::Strict);

/// A question, and what may be appended.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LegalVector {
    id: u32,
    note: String,
    history: String,
    last_line: String,
    hand: String,
    cards_arg: String,
    coins: u32,
    opp_coins: u32,
    my_turn: bool,
    exchange_draw: bool,
    legal: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "the vectors say more than a test needs")]
struct GameVector {
    seed: u32,
    round: u32,
    game: u32,
    players: Vec<String>,
    deck: String,
    coins: [u32; 2],
    deal: Vec<String>,
    calls: Vec<CallVector>,
    history: String,
    result: GameResult,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CallVector {
    who: usize,
    args: Vec<String>,
    append: String,
    #[serde(default)]
    stdout: String,
    deck: Vec<(String, String)>,
    coins: [u32; 2],
    cards: [String; 2],
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GameResult {
    winner: usize,
    reason: String,
    calls: u32,
}

fn read<T: for<'de> Deserialize<'de>>(vectors: &str) -> Vec<T> {
    vectors.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn legal_texts_are_those_of_the_vectors_in_their_order() {
    let vectors: Vec<LegalVector> = read(LEGAL);
    assert_eq!(vectors.len(), 91);
    for vector in vectors {
        let what = format!("{}: {} after {:?}", vector.id, vector.note, vector.history);
        let actor = lines::actor(&vector.history);
        let caller = if vector.my_turn { actor } else { seat(1 - actor.index()) };
        assert!(vector.history.ends_with(&vector.last_line), "{what}");
        let own = lines::hand(&vector.hand);
        let (mut hands, mut coins) = ([lines::hand("0="); 2], [vector.opp_coins; 2]);
        if own.cards().iter().any(|card| hands[0].contains(*card)) {
            hands = [lines::hand("_"); 2];
        }
        (hands[caller.index()], coins[caller.index()]) = (own, vector.coins);
        let mut scene = lines::at(&vector.history, hands, [Hand::EMPTY; 2], coins);
        if vector.exchange_draw {
            scene.draw(&mut scene::nature());
        }
        assert_eq!(scene.mover(), caller.index(), "{what}");
        let call = scene.call();
        assert_eq!(call.file, vector.history, "{what}");
        let [other, coins, cards, legal @ ..] = &call.arguments[..] else { panic!("{what}") };
        assert_eq!(*other, vector.opp_coins.to_string(), "{what}");
        assert_eq!(*coins, vector.coins.to_string(), "{what}");
        let drawn = if vector.exchange_draw { 2 } else { 0 };
        assert_eq!(cards[drawn..], vector.cards_arg, "{what}");
        assert_eq!(legal, vector.legal, "{what}");
    }
}

#[test]
fn effects_are_those_of_the_vectors() {
    let effects = effects::read();
    assert_eq!(effects.len(), 34);
    for effect in effects {
        let (me, what) = (effect.caller(), format!("{}: {}", effect.id, effect.note));
        let (mut scene, mut draws) = (effect.scene(), effect.draws());
        scene.draw_from(&mut draws);
        assert_eq!(scene.mover(), me, "{what}");
        let call = scene.call();
        assert_eq!(call.file, effect.history, "{what}");
        assert_eq!(call.arguments, effect.args, "{what}");
        let ended = effect.result.as_ref().map(|ended| ended.winner.as_str());
        if let Some((reason, verdict)) = effect.fault() {
            let found = effect.result.as_ref().map(|ended| ended.reason.as_str());
            assert_eq!((ended, found), (Some("opp"), Some(reason)), "{what}");
            let read = call.read(
                Strictness::Strict,
                effect.file_after.as_bytes(),
                effect.stdout.as_bytes(),
            );
            match (read, verdict) {
                // The end of the program decides, not its text.
                (Ok(_), Verdict::Crash) => assert_ne!(effect.exit, 0, "{what}"),
                (Err(unread), verdict) => assert_eq!(unread.verdict(), verdict, "{what}"),
                (Ok(mv), _) => panic!("{what}: {mv}"),
            }
            continue;
        }
        assert_eq!(effect.file_after, format!("{}{}", effect.history, effect.append));
        let mv =
            call.read(Strictness::Strict, effect.file_after.as_bytes(), effect.stdout.as_bytes());
        scene.play(mv.unwrap());
        assert_eq!(file(&scene.events), effect.file_after, "{what}");
        scene.draw_from(&mut draws);
        check_after(&scene, me, &effect, &what);
        let winner = scene.scores().map(|scores| if scores[me] == "1" { "me" } else { "opp" });
        assert_eq!(winner, ended, "{what}");
    }
}

/// Calls with known deals get the rulings of a referee.
#[test]
fn effects_are_ruled_on_as_the_vectors_say() {
    let mut ruled = Vec::new();
    for effect in effects::read() {
        let Some(sample) = effect.sample() else { continue };
        let (file, arguments) = (effect.history.clone(), effect.args.clone());
        let asked = Prompt::Classic { file, arguments };
        assert_eq!(sample.prompt(CLASSIC), Some(asked), "{effect:?}");
        let ruling = sample.rule(CLASSIC, effect.answer());
        assert_eq!(ruling.verdict, effect.verdict(), "{effect:?}: {ruling:?}");
        let is_played = sample.played(CLASSIC, effect.answer()).is_some();
        assert_eq!(is_played, effect.verdict() == Verdict::Ok, "{effect:?}");
        ruled.push(effect.id);
    }
    let must = effects::FAULTS.iter().map(|(id, ..)| id).chain(&effects::STRICT);
    assert!(must.clone().all(|id| ruled.contains(id)), "{ruled:?}");
    assert_eq!(ruled.len(), 29);
}

fn check_after(scene: &Scene, me: usize, effect: &Effect, what: &str) {
    let After { hand, opp_hand, coins, opp_coins, deck } = &effect.after;
    let found = [me, 1 - me].map(|number| lines::written(scene.game.hand(seat(number))));
    // The vectors leave the second of two cards that are lost at once where it was.
    let both = effect.result.as_ref().is_some_and(|ended| ended.reason == "both_cards");
    let own = if both { "" } else { hand };
    assert_eq!(found, [own, opp_hand], "{what}");
    let found = [me, 1 - me].map(|number| scene.coins()[number]);
    assert_eq!(found, [*coins, *opp_coins], "{what}");
    if effects::NO_PACK.contains(&effect.id) {
        return;
    }
    let mut left: Vec<char> = lines::written(scene.game.deck().cards()).chars().collect();
    left.sort_unstable();
    assert_eq!(left.into_iter().collect::<String>(), *deck, "{what}");
}

#[test]
fn whole_games_go_as_in_the_vectors() {
    let vectors: Vec<GameVector> = read(GAMES);
    assert_eq!(vectors.len(), 12);
    for vector in vectors {
        let dealt = lines::hand(&vector.deal.concat());
        let hands = [&dealt.cards()[..2], &dealt.cards()[2..]];
        let [first, second] = hands.map(|cards| Hand::new(cards).unwrap().to_string());
        let mut scene = Scene::dealt(&first, &second);
        assert_eq!(scene.coins(), vector.coins);
        for call in &vector.calls {
            let pops = call.deck.iter().filter(|(what, _)| what == "pop");
            let pops: String = pops.map(|(_, card)| card.as_str()).collect();
            let mut pops = lines::cards_of(&pops).collect::<Vec<_>>().into_iter();
            scene.draw_from(&mut pops);
            assert_eq!(scene.mover() + 1, call.who);
            let asked = scene.call();
            assert_eq!(asked.arguments, call.args, "{}", vector.history);
            let after = format!("{}{}", asked.file, call.append);
            scene.play(
                asked.read(Strictness::Strict, after.as_bytes(), call.stdout.as_bytes()).unwrap(),
            );
            // A draw for a shown card belongs to the call that shows it.
            if pops.len() > 0 {
                scene.draw_from(&mut pops);
            }
            assert_eq!(scene.coins(), call.coins, "{}", vector.history);
            let cards = [0, 1].map(|number| lines::written(scene.game.hand(seat(number))));
            if scene.scores().is_none() || vector.result.reason != "both_cards" {
                assert_eq!(cards, call.cards, "{}", vector.history);
            }
        }
        assert_eq!(file(&scene.events), vector.history);
        assert_eq!(scene.game.decisions(), vector.result.calls, "a call is a decision");
        let scores = scene.scores().unwrap();
        assert_eq!(scores[vector.result.winner - 1], "1");
    }
}

/// The referee asks both seats in the classic dialect.
#[test]
fn whole_games_are_refereed_as_in_the_vectors() {
    for vector in read::<GameVector>(GAMES) {
        let seed = Seed([0; 32]);
        let dialects = PerSeat::new(2, |_| CLASSIC);
        let even = GameTerms::even(seed.name(0), 2, 1000, seed.bots(0));
        let terms = GameTerms { dialects, ..even };
        let mut referee =
            Referee::new(&GameKind::of::<Coup>(), "seats=2 rules=contest", terms).unwrap();
        let pops = vector.calls.iter().flat_map(|call| &call.deck);
        let pops = pops.filter(|(what, _)| what == "pop").map(|(_, card)| card.as_str());
        let dealt = vector.deal.concat() + &pops.collect::<String>();
        let mut cards = lines::cards_of(&dealt);
        let mut nature = seed.nature(0);
        let mut calls = vector.calls.iter();
        let rulings = refereed::play(
            &mut referee,
            |draw| {
                // The due seat draws the sampled number of cards, but takes these.
                let sampled = draw.sample(&mut nature).unwrap();
                let words: Vec<&str> = sampled.split(' ').collect();
                let drawn = cards.by_ref().take(words.len() - 2).map(|card| card.to_string());
                let drawn: Vec<String> = drawn.collect();
                draw.happen(&[&words[..2].join(" "), &drawn.join(" ")].map(|it| &**it).join(" "))
                    .unwrap();
            },
            |question| {
                let call = calls.next().unwrap();
                assert_eq!(question.seat().index() + 1, call.who);
                let Prompt::Classic { file, arguments } = question.prompt() else { panic!() };
                assert_eq!(*arguments, call.args, "{}", vector.history);
                let (file, output) = (format!("{file}{}", call.append), call.stdout.clone());
                Answer::Classic { file: file.into(), output: output.into() }
            },
        );
        assert!(rulings.iter().all(|(_, ruling)| ruling.verdict == Verdict::Ok), "{rulings:?}");
        assert_eq!((calls.len(), cards.count()), (0, 0), "{}", vector.history);
        let scores = refereed::outcome(&mut referee).scores().unwrap().values().to_vec();
        assert_eq!(scores[vector.result.winner - 1], Score::points(1));
        assert_eq!(scores[2 - vector.result.winner], Score::ZERO);
    }
}
