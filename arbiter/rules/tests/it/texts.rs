//! Every text reads back to an equal value, and no text makes a reader panic.

use std::fmt::{Debug, Display};
use std::str::FromStr;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select, subsequence};
use rules::RetryNotice;
use rules::replay::replay;
use rules::request_text::game_name;
use rules::tablic::{Deal, DealDestination, Event, Move, Options, SeatCount, Tablic, Tally, View};
use rules::{
    Answer, BotSeed, BotSeedKey, Card, CardSet, ClockState, DealtCards, Entry, EscapedBytes,
    GameId, GameKind, GameRecord, ListCompleteness, NotText, PerSeat, Request, RequestHeading,
    Score, Seat, Seed, Verdict, VoidCause,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::refereed;

fn card() -> impl Strategy<Value = Card> {
    select(CardSet::PACK.iter().collect::<Vec<_>>())
}

fn cards() -> impl Strategy<Value = CardSet> {
    let pack: Vec<Card> = CardSet::PACK.iter().collect();
    subsequence(pack, 0..=52).prop_map(|cards| cards.into_iter().collect())
}

fn seat() -> impl Strategy<Value = Seat> {
    (0..Seat::MOST).prop_map(|number| Seat::new(number).unwrap())
}

fn verdict() -> impl Strategy<Value = Verdict> {
    select(&Verdict::ALL[..])
}

fn place() -> impl Strategy<Value = DealDestination> {
    prop_oneof![Just(DealDestination::Table), seat().prop_map(DealDestination::Hand)]
}

fn dealt() -> impl Strategy<Value = DealtCards> {
    prop_oneof![cards().prop_map(DealtCards::Seen), (1..=52_u8).prop_map(DealtCards::Unseen)]
}

fn mv() -> impl Strategy<Value = Move> {
    (card(), cards()).prop_map(|(card, captured)| Move { card, captured })
}

fn score() -> impl Strategy<Value = Score> {
    let parts = select(&[1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30, 60][..]);
    (-100_000..100_000, parts)
        .prop_map(|(above, below)| format!("{above}/{below}").parse().unwrap())
}

fn options() -> impl Strategy<Value = Options> {
    select(&SeatCount::ALL[..]).prop_map(|seats| Options { seats })
}

fn event() -> impl Strategy<Value = Event> {
    let tally = (any::<u32>(), any::<u32>(), any::<u32>(), any::<bool>())
        .prop_map(|(points, cards, tablas, most)| Tally { points, cards, tablas, most });
    prop_oneof![
        (place(), dealt()).prop_map(|(to, cards)| Event::Deal { to, cards }),
        (seat(), mv()).prop_map(|(seat, mv)| Event::Move { seat, mv }),
        seat().prop_map(Event::Tabla),
        (proptest::option::of(seat()), cards()).prop_map(|(to, cards)| Event::Rest { to, cards }),
        (seat(), tally).prop_map(|(seat, tally)| Event::Score { seat, tally }),
    ]
}

fn entry() -> impl Strategy<Value = Entry<Event>> {
    prop_oneof![
        event().prop_map(Entry::Event),
        (seat(), verdict()).prop_map(|(seat, verdict)| Entry::Out(seat, verdict)),
    ]
}

fn view() -> impl Strategy<Value = View> {
    let numbers = || vec(any::<u32>(), 0..=Seat::MOST).prop_map(PerSeat::from);
    let sets = (cards(), cards(), cards());
    let per_seat = (numbers(), numbers(), numbers(), numbers());
    (sets, any::<u32>(), per_seat, proptest::option::of(seat())).prop_map(
        |((hand, table, taken), talon, (hands, cards, points, tablas), last)| View {
            hand,
            table,
            taken,
            talon,
            hands,
            cards,
            points,
            tablas,
            last,
        },
    )
}

fn retry() -> impl Strategy<Value = RetryNotice> {
    (any::<u32>(), "[ -~]{0,40}").prop_map(|(number, reason)| RetryNotice { number, reason })
}

fn heading() -> impl Strategy<Value = RequestHeading> {
    let names = (any::<[u8; 16]>(), any::<[u8; 8]>());
    let times = (any::<u64>(), proptest::option::of((any::<u64>(), any::<u64>())));
    (names, seat(), any::<u32>(), times, proptest::option::of(retry())).prop_map(
        |((id, seed), seat, number, (time, bank), retry)| RequestHeading {
            id: GameId(id),
            seat,
            number,
            time,
            bank: bank.map(|(left, increment)| ClockState { left, increment }),
            seed: BotSeed(seed),
            retry,
        },
    )
}

fn request() -> impl Strategy<Value = Request<Tablic>> {
    let listing = select(&[ListCompleteness::Complete, ListCompleteness::Cut][..]);
    let lists = (vec(entry(), 0..6), vec(mv(), 0..6), listing);
    (options(), heading(), view(), lists).prop_map(
        |(options, heading, view, (history, legal, listing))| Request {
            options,
            heading,
            view,
            history,
            legal,
            listing,
        },
    )
}

fn reads_back<T>(value: T) -> Result<(), TestCaseError>
where
    T: Display + FromStr<Err: Debug> + PartialEq + Debug,
{
    let text = value.to_string();
    let read = text.parse::<T>();
    prop_assert!(matches!(&read, Ok(read) if *read == value), "`{}` reads as {:?}", text, read);
    Ok(())
}

fn reads_back_from_json<T>(value: T) -> Result<(), TestCaseError>
where
    T: Serialize + DeserializeOwned + PartialEq + Debug,
{
    let text = serde_json::to_string(&value).unwrap();
    let read = serde_json::from_str::<T>(&text);
    prop_assert!(matches!(&read, Ok(read) if *read == value), "`{}` reads as {:?}", text, read);
    Ok(())
}

proptest! {
    #[test]
    fn cards_and_sets_read_back(card in card(), set in cards(), dealt in dealt()) {
        reads_back(card)?;
        reads_back(set)?;
        reads_back(dealt)?;
    }

    #[test]
    fn moves_deals_and_events_read_back(mv in mv(), to in place(), event in event()) {
        reads_back(mv)?;
        reads_back(to)?;
        reads_back(Deal { to, cards: mv.captured })?;
        reads_back(event)?;
    }

    #[test]
    fn entries_views_options_and_requests_read_back(
        entry in entry(),
        view in view(),
        options in options(),
        request in request(),
    ) {
        reads_back(entry)?;
        reads_back(view)?;
        reads_back(options)?;
        let text = request.to_string();
        prop_assert_eq!(game_name(&text), Some("tablic"));
        reads_back(request)?;
    }

    #[test]
    fn seats_verdicts_and_scores_read_back(seat in seat(), verdict in verdict(), score in score()) {
        reads_back(seat)?;
        reads_back(verdict)?;
        reads_back(score)?;
        reads_back_from_json(seat)?;
        reads_back_from_json(verdict)?;
        reads_back_from_json(score)?;
    }

    #[test]
    fn seeds_and_names_read_back(bytes: [u8; 32], id: [u8; 16], seed: [u8; 8]) {
        reads_back(Seed(bytes))?;
        reads_back(BotSeedKey(bytes))?;
        reads_back(GameId(id))?;
        reads_back(BotSeed(seed))?;
        reads_back_from_json(Seed(bytes))?;
        reads_back_from_json(BotSeedKey(bytes))?;
        reads_back_from_json(GameId(id))?;
        reads_back_from_json(BotSeed(seed))?;
    }

    #[test]
    fn escaped_bytes_are_printable_and_read_back(bytes: Vec<u8>) {
        let escaped = EscapedBytes(bytes);
        prop_assert!(escaped.to_string().bytes().all(|byte| matches!(byte, b' '..=b'~')));
        reads_back(escaped.clone())?;
        reads_back_from_json(escaped)?;
    }

    #[test]
    fn moves_are_read_in_any_order_case_and_spacing(mv in mv(), order: u64, blanks in "[ \t]{1,3}") {
        let mut captured: Vec<String> = mv.captured.iter().map(|card| card.to_string()).collect();
        if !captured.is_empty() {
            let turn = order as usize % captured.len();
            captured.rotate_left(turn);
        }
        captured.insert(0, mv.card.to_string());
        let text = format!("{blanks}{}{blanks}", captured.join(&blanks));
        prop_assert_eq!(text.to_lowercase().parse(), Ok::<_, NotText>(mv));
        prop_assert_eq!(text.parse(), Ok::<_, NotText>(mv));
    }

    #[test]
    fn a_reply_is_read_as_one_line_or_refused(bytes in vec(prop_oneof![any::<u8>(), select(&b" \t\r\n7SAH"[..])], 0..20)) {
        if let Ok(line) = rules::answer::line(&bytes) {
            prop_assert!(!line.is_empty() && line.trim_ascii() == line);
            prop_assert!(line.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\t')));
        }
    }
}

#[test]
fn every_verdict_and_game_has_one_spelling() {
    for verdict in Verdict::ALL {
        assert_eq!(serde_json::to_string(&verdict).unwrap(), format!("\"{verdict}\""));
    }
    for kind in GameKind::ALL {
        assert_eq!(kind.to_string().parse().as_ref(), Ok::<_, &NotText>(kind));
    }
}

/// Whole where it is whole, and else the shortest fraction that is the nearest double.
#[test]
fn a_score_has_one_spelling_in_json() {
    for (score, json) in [
        ("15", "15"),
        ("-2", "-2"),
        ("1/2", "0.5"),
        ("2/3", "0.6666666666666666"),
        ("4/3", "1.3333333333333333"),
        ("4/5", "0.8"),
    ] {
        let score: Score = score.parse().unwrap();
        assert_eq!(serde_json::to_string(&score).unwrap(), json);
    }
}

#[test]
fn texts_that_are_near_to_a_card_a_seat_or_a_score_are_refused() {
    for text in ["", "7", "S", "1S", "11S", "07S", "S7", "7SS", "7 S", "7X", "ꓢ7", "7ſ", "10", "K♠"]
    {
        assert!(text.parse::<Card>().is_err(), "{text}");
    }
    for text in ["", "-1", "+1", "48", "00", "01", "256", "0x1", " 1", "1 "] {
        assert!(text.parse::<Seat>().is_err(), "{text}");
    }
    for text in ["", "1/", "/2", "1/0", "1/7", "1/-2", "1.5", "9999999999"] {
        assert!(text.parse::<Score>().is_err(), "{text}");
    }
    for json in ["48", "-1", "1.5", "\"0\"", "null", "18446744073709551616"] {
        assert!(serde_json::from_str::<Seat>(json).is_err(), "{json}");
    }
    for json in ["0.01", "1e300", "-1e300", "\"1\"", "null"] {
        assert!(serde_json::from_str::<Score>(json).is_err(), "{json}");
    }
}

#[test]
fn text_that_was_never_escaped_is_refused() {
    for text in ["\\", r"\x", r"\x1", r"\xg0", r"\q", "\n", "\t", "\u{7f}", "é"] {
        assert!(text.parse::<EscapedBytes>().is_err(), "{text:?}");
    }
    assert_eq!(r"\x1B\n".parse(), Ok::<_, NotText>(EscapedBytes(b"\x1b\n".to_vec())));
}

/// A text that can be read is written as one that reads as the same value.
fn settles<T>(text: &str)
where
    T: Display + FromStr + PartialEq + Debug,
{
    if let Ok(value) = text.parse::<T>() {
        let again = value.to_string();
        assert!(again.parse::<T>().is_ok_and(|read| read == value), "{text:?} to {again:?}");
    }
}

fn read_as_everything(text: &str) {
    settles::<Card>(text);
    settles::<CardSet>(text);
    settles::<DealtCards>(text);
    settles::<Seat>(text);
    settles::<Score>(text);
    settles::<Verdict>(text);
    settles::<EscapedBytes>(text);
    settles::<Seed>(text);
    settles::<BotSeedKey>(text);
    settles::<BotSeed>(text);
    settles::<GameId>(text);
    settles::<GameKind>(text);
    settles::<Options>(text);
    settles::<DealDestination>(text);
    settles::<Deal>(text);
    settles::<Move>(text);
    settles::<Event>(text);
    settles::<Entry<Event>>(text);
    settles::<View>(text);
    settles::<Request<Tablic>>(text);
    let _ = game_name(text);
    let _ = rules::answer::line(text.as_bytes());
}

/// One small change of a text.
#[derive(Debug, Clone)]
enum Edit {
    Set(Index, u8),
    Insert(Index, u8),
    Remove(Index, usize),
    Cut(Index),
    /// A line taken from one place and put in another, once more or instead.
    Line(Index, Index, bool),
    /// A word, put instead of another.
    Word(Index, Index),
}

fn edit() -> impl Strategy<Value = Edit> {
    let byte = || prop_oneof![any::<u8>(), select(&b" \n?0123456789-+/=\"{}[],:ACDHJKQS"[..])];
    prop_oneof![
        (any::<Index>(), byte()).prop_map(|(at, byte)| Edit::Set(at, byte)),
        (any::<Index>(), byte()).prop_map(|(at, byte)| Edit::Insert(at, byte)),
        (any::<Index>(), 1..8_usize).prop_map(|(at, count)| Edit::Remove(at, count)),
        any::<Index>().prop_map(Edit::Cut),
        any::<(Index, Index, bool)>().prop_map(|(from, to, more)| Edit::Line(from, to, more)),
        any::<(Index, Index)>().prop_map(|(from, to)| Edit::Word(from, to)),
    ]
}

fn edited(text: &str, edits: &[Edit]) -> String {
    let mut text = text.to_owned();
    for edit in edits {
        let mut bytes = text.clone().into_bytes();
        if bytes.is_empty() {
            break;
        }
        match edit {
            Edit::Set(at, byte) => *at.get_mut(&mut bytes) = *byte,
            Edit::Insert(at, byte) => bytes.insert(at.index(bytes.len()), *byte),
            Edit::Remove(at, count) => {
                let at = at.index(bytes.len());
                bytes.drain(at..bytes.len().min(at + count));
            }
            Edit::Cut(at) => bytes.truncate(at.index(bytes.len())),
            Edit::Line(from, to, more) => bytes = moved(&text, '\n', *from, *to, *more),
            Edit::Word(from, to) => bytes = moved(&text, ' ', *from, *to, false),
        }
        text = String::from_utf8_lossy(&bytes).into_owned();
    }
    text
}

/// Puts a part of a text in the place of another one, or in front of it.
fn moved(text: &str, between: char, from: Index, to: Index, more: bool) -> Vec<u8> {
    let mut parts: Vec<&str> = text.split(between).collect();
    let part = *from.get(&parts);
    let to = to.index(parts.len());
    if more {
        parts.insert(to, part);
    } else {
        parts[to] = part;
    }
    parts.join(&between.to_string()).into_bytes()
}

proptest! {
    #[test]
    fn no_bytes_make_a_reader_panic(bytes: Vec<u8>) {
        let _ = rules::answer::line(&bytes);
        read_as_everything(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn no_words_make_a_reader_panic(words in "((deal|rest|score|tabla|out|view|seat|table|none|\\?\\?|cards|ok|[0-9]{1,3}|[2-9JQKA][CDHS]|10[CDHS]|seats=[0-9]{1,3}|/)[ \n]{0,2}){0,12}") {
        read_as_everything(&words);
    }

    #[test]
    fn no_change_of_a_valid_text_makes_a_reader_panic(
        event in event(),
        view in view(),
        request in request(),
        edits in vec(edit(), 1..4),
    ) {
        for text in [event.to_string(), view.to_string(), request.to_string()] {
            read_as_everything(&edited(&text, &edits));
        }
    }
}

/// Records of games that end in every way, as JSON, with their options.
fn records() -> Vec<(&'static str, String)> {
    let seed = Seed([5; 32]);
    let record = |options: &'static str, fault: fn(u32) -> Option<Answer>| {
        let mut referee = refereed::referee(options, &seed);
        let mut nature = seed.nature(0);
        refereed::play(
            &mut referee,
            |draw| draw.draw(&mut nature),
            |question| {
                let last = || question.legal_moves().0.pop().unwrap().into_bytes();
                fault(question.number()).unwrap_or_else(|| Answer::Output(last()))
            },
        );
        (options, serde_json::to_string(&refereed::record(&mut referee, &seed)).unwrap())
    };
    vec![
        record("seats=2", |_| None),
        record("seats=2", |number| (number == 7).then(|| Answer::Output(b"\xff\n\n".to_vec()))),
        record("seats=3", |number| (number == 4).then(|| Answer::Output(b"zz".to_vec()))),
        record("seats=2", |number| {
            (number == 3).then(|| Answer::Void(VoidCause::worded("no disk")))
        }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn no_change_of_a_record_makes_replay_panic(edits in vec(edit(), 1..3), which: Index) {
        thread_local! {
            static RECORDS: Vec<(&'static str, String)> = records();
        }
        RECORDS.with(|records| {
            let (options, json) = which.get(records);
            if let Ok(record) = serde_json::from_str::<GameRecord>(&edited(json, &edits)) {
                for options in [*options, "seats=48"] {
                    let names = PerSeat::from(record.seats.clone());
                    let watch = |referee: &rules::Referee| {
                        referee.narrate(0, &names);
                    };
                    let _ = replay(refereed::setup(options, None), &record, watch);
                }
                let _ = replay(refereed::setup(options, Some(&Seed([5; 32]))), &record, |_| ());
            }
        });
    }
}
