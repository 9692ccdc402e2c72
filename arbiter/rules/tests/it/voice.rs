//! Running text about a player who is called `you`.

use rules::subject::SentenceSubject;
use rules::{Game, GameKind, PerSeat, coup, durak, tablic};

/// Every event as text, those of moves included. The functions `kind` below do not build once one is
/// missing in them, and the tests fail once one is missing here.
const TABLIC: [&str; 6] = [
    "deal table 3D 4C 5S KD",
    "deal 0 2H 2S",
    "0 9S 4C 5S",
    "tabla 0",
    "rest 0 3C 4S",
    "score 0 15 cards 28 tablas 0 most",
];
const COUP: [&str; 19] = [
    "deal 0 duke captain",
    "draw 0 duke",
    "0 income",
    "0 foreign-aid",
    "0 coup 1",
    "0 tax",
    "0 assassinate 1",
    "0 steal 1",
    "0 exchange",
    "0 pass",
    "0 challenge",
    "0 block duke",
    "0 show duke",
    "0 lose duke",
    "0 keep duke captain",
    "0 keep ?? ??",
    "0 end",
    "lost 0 duke",
    "winner 0",
];
const DURAK: [&str; 15] = [
    "deal 0 6C 7C",
    "trump 9S",
    "first 0 10S",
    "first 0 none",
    "0 lead 6C",
    "0 beat 7C",
    "0 transfer 6S",
    "0 take",
    "0 throw 6D",
    "0 done",
    "discard 6C 7C",
    "pick-up 0 6C 6D",
    "draw 0 8H",
    "last 0 9S",
    "gone 0",
];
const DURAK_END: &str = "durak 0";

fn kind_of_tablic(event: &tablic::Event) -> usize {
    match event {
        tablic::Event::Deal { to: tablic::DealDestination::Table, .. } => 0,
        tablic::Event::Deal { to: tablic::DealDestination::Hand(_), .. } => 1,
        tablic::Event::Move { .. } => 2,
        tablic::Event::Tabla(_) => 3,
        tablic::Event::Rest { .. } => 4,
        tablic::Event::Score { .. } => 5,
    }
}

fn kind_of_coup(event: &coup::Event) -> usize {
    use coup::{Action, Event, Move};
    match event {
        Event::Deal { .. } => 0,
        Event::Draw { .. } => 1,
        Event::Move { mv, .. } => match mv {
            Move::Act(action) => match action {
                Action::Income => 2,
                Action::ForeignAid => 3,
                Action::Coup(_) => 4,
                Action::Tax => 5,
                Action::Assassinate(_) => 6,
                Action::Steal(_) => 7,
                Action::Exchange => 8,
            },
            Move::Pass => 9,
            Move::Challenge => 10,
            Move::Block(_) => 11,
            Move::Show(_) => 12,
            Move::Lose(_) => 13,
            Move::Keep(_) => 14,
            Move::End => 16,
        },
        Event::KeepUnseen { .. } => 15,
        Event::Lost { .. } => 17,
        Event::Winner(_) => 18,
    }
}

fn kind_of_durak(event: &durak::Event) -> usize {
    use durak::{Event, Move};
    match event {
        Event::Deal { .. } => 0,
        Event::Trump(_) => 1,
        Event::First { card: Some(_), .. } => 2,
        Event::First { card: None, .. } => 3,
        Event::Move { mv, .. } => match mv {
            Move::Lead(_) => 4,
            Move::Beat(_) => 5,
            Move::Transfer(_) => 6,
            Move::Take => 7,
            Move::Throw(_) => 8,
            Move::Done => 9,
        },
        Event::Discard(_) => 10,
        Event::PickUp { .. } => 11,
        Event::Draw { .. } => 12,
        Event::Last { .. } => 13,
        Event::Gone(_) => 14,
        Event::Durak(_) => 15,
    }
}

/// These events as running text, where the player on seat 0 has this name.
fn narrate<G: Game>(events: &[&str], kind: fn(&G::Event) -> usize, name: &str) -> Vec<String> {
    let game = G::new(&G::Options::default());
    let names = PerSeat::from(vec![name.to_owned(), "greedy".to_owned()]);
    let each = events.iter().enumerate().map(|(place, text)| {
        let event: G::Event = text.parse().unwrap_or_else(|_| panic!("`{text}` is no event"));
        assert_eq!(kind(&event), place, "{text}");
        game.narrate(&event, &names)
    });
    each.collect()
}

/// Every event of every game, with the player on seat 0 under this name.
fn all_told(name: &str) -> Vec<String> {
    let durak: Vec<&str> = DURAK.into_iter().chain([DURAK_END]).collect();
    [
        narrate::<tablic::Tablic>(&TABLIC, kind_of_tablic, name),
        narrate::<coup::Coup>(&COUP, kind_of_coup, name),
        narrate::<durak::Durak>(&durak, kind_of_durak, name),
    ]
    .concat()
}

/// The verbs of a line: the word behind the name, and those behind `and`.
fn verbs(line: &str, name: &str) -> Vec<String> {
    let Some(told) = line.trim_start().strip_prefix(name) else { return Vec::new() };
    let words: Vec<&str> = told.split_whitespace().collect();
    let behind = words.windows(2).filter(|pair| pair[0] == "and").map(|pair| pair[1]);
    let is_verb = |word: &&str| word.chars().all(|letter| letter.is_ascii_lowercase());
    words.first().copied().into_iter().chain(behind).filter(is_verb).map(str::to_owned).collect()
}

#[test]
fn no_sentence_about_you_has_a_verb_in_the_third_person() {
    let (second, third) = (all_told("you"), all_told("Ana"));
    let mut changed = 0;
    for (line, other) in second.iter().zip(&third) {
        let line = line.trim();
        for verb in verbs(line, "You") {
            assert!(!verb.ends_with('s'), "`{verb}` in `{line}`");
        }
        // A name that begins a line and is no subject is a label.
        assert!(!line.starts_with("you ") || verbs(line, "you").is_empty(), "{line}");
        let has_verb = verbs(other.trim(), "Ana").iter().any(|verb| verb.ends_with('s'));
        changed += usize::from(has_verb);
        assert!(!has_verb || line.starts_with("You  "), "`{line}` for `{other}`");
    }
    assert!(changed >= 30, "{changed} of {third:?}");
}

#[test]
fn you_are_told_as_a_person_would_be() {
    let all = all_told("you").concat();
    for expected in [
        "You     are dealt duke captain\n",
        "You     claim duke and take tax",
        "You     let it pass",
        "You     lose duke with it\n",
        "You     win\n",
        "You     show 10S, the lowest trump, and attack first\n",
        "You     have no cards left\n",
        "You     are the durak\n",
        "You     captured last and get the rest: 3C 4S\n",
    ] {
        assert!(all.contains(expected), "`{expected}` is not in\n{all}");
    }
}

#[test]
fn the_rules_in_short_fit_on_a_terminal() {
    for kind in GameKind::ALL {
        let rules = kind.about().rules;
        assert!(rules.contains("in short\n\nAim  ") && rules.ends_with(".\n"), "{kind}");
        assert!(rules.lines().count() <= 30, "{kind}");
        for line in rules.lines() {
            assert!(line.chars().count() <= 79 && line.trim_end() == line, "{kind}: {line}");
        }
    }
}

#[test]
fn verbs_agree_with_the_player() {
    let you = SentenceSubject::new("You");
    let other = SentenceSubject::new("your-bot");
    for (verb, second, third) in [
        ("be", "are", "is"),
        ("have", "have", "has"),
        ("deal", "deal", "deals"),
        ("launch", "launch", "launches"),
        ("pass", "pass", "passes"),
        ("go", "go", "goes"),
    ] {
        assert_eq!((&*you.verb(verb), &*other.verb(verb)), (second, third));
    }
    assert_eq!((you.subject(), other.subject()), ("You", "your-bot"));
    for (third, second) in [
        (" is dealt 2C", "You are dealt 2C"),
        (" has 2C", "You have 2C"),
        (" folds", "You fold"),
        (" chooses 2C", "You choose 2C"),
        (" goes out", "You go out"),
        ("'s turn", "You's turn"),
        (": folds", "You: folds"),
    ] {
        assert_eq!(you.sentence(third), second);
    }
}
