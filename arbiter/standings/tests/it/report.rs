//! Standings as text, Markdown, CSV and JSON.

use csv::StringRecord;
use rules::{Score, Seat, Verdict};
use standings::output::{csv_crosstable, csv_rows, json, markdown, text};
use standings::{Entrant, Game, Sprt, Standings, StandingsSetup};

use crate::tools::{Chance, Duels, game, setup, tally};

/// Two deals that both bots played in either seat, and one game that was forfeited.
fn duel(names: [&str; 2]) -> Standings {
    let mut games = vec![
        game(0, &[0, 1], &[15, 10]),
        game(0, &[1, 0], &[12, 13]),
        game(1, &[0, 1], &[14, 11]),
        game(1, &[1, 0], &[14, 11]),
    ];
    let out = [(Seat::new(0).unwrap(), Verdict::Timeout)];
    let seats = vec![Entrant(1), Entrant(0)].into();
    let scores = vec![Score::ZERO, Score::points(25)].into();
    games.push(Game::new(2, seats, scores, &out).unwrap());
    let names = names.map(str::to_owned).to_vec();
    tally(StandingsSetup { names, sprt: Some(Sprt::default()), ..setup(2, 2) }, &games).standings()
}

const TEXT: &str = "\
standings: 5 games, 1 forfeited, 3 deals

rank  bot     games  won  drawn  lost  score  rating  rank range  points per game         margin   forfeits
1     greedy      5    4      0     1  80.0%     105           -            15.60   6.20 ± 23.01          -
2     random      5    1      0     4  20.0%    -105           -             9.40  -6.20 ± 23.01  timeout 1

ranked by rating, then score; ties share a rank
± 95% confidence intervals: Student's t over deals (fewer than 30)
Elo-scale ratings: Bradley–Terry model with draws (Davidson); 95% confidence intervals in brackets
fewer than 5 deals: no rating intervals, rank ranges or probabilities
no interval: all deals had the same result, or there is too little data
first-move advantage: not estimable; draw rate of equal bots: 0.0%
game pairs by points of greedy (pentanomial): 0: 0, ½: 0, 1: 1, 1½: 0, 2: 1
SPRT elo0=0,elo1=10,alpha=0.05,beta=0.05: LLR 0.06 (-2.94, 2.94), undecided

standings excluding forfeited games: 4 games, 2 deals

rank  bot     games  won  drawn  lost  score  rating  rank range  points per game         margin  forfeits
1     greedy      4    3      0     1  75.0%      82           -            13.25   1.50 ± 19.06         -
2     random      4    1      0     3  25.0%     -82           -            11.75  -1.50 ± 19.06         -

ranked by rating, then score; ties share a rank
± 95% confidence intervals: Student's t over deals (fewer than 30)
Elo-scale ratings: Bradley–Terry model with draws (Davidson); 95% confidence intervals in brackets
fewer than 5 deals: no rating intervals, rank ranges or probabilities
no interval: all deals had the same result, or there is too little data
first-move advantage: not estimable; draw rate of equal bots: 0.0%
game pairs by points of greedy (pentanomial): 0: 0, ½: 0, 1: 1, 1½: 0, 2: 1
SPRT elo0=0,elo1=10,alpha=0.05,beta=0.05: LLR 0.06 (-2.94, 2.94), undecided

head-to-head scores in %, row against column

rank  bot        1     2
1     greedy     -  80.0
2     random  20.0     -

probability in % that row is stronger than column

rank  bot     1  2
1     greedy  -  -
2     random  -  -
";

#[test]
fn text_is_tables_with_notes() {
    assert_eq!(text(&duel(["greedy", "random"])), TEXT);
}

#[test]
fn intervals_with_one_end_and_groups_are_told() {
    let mut games = Vec::new();
    for deal in 0..20 {
        for seats in [[0, 1], [1, 0], [0, 2], [2, 0], [1, 2], [2, 1], [3, 4], [4, 3]] {
            let points = match seats {
                [0, _] => [2, 0],
                [_, 0] => [0, 2],
                _ if deal % 2 == 0 => [1, 0],
                _ => [0, 1],
            };
            games.push(game(deal, &seats, &points));
        }
    }
    let text = text(&tally(setup(5, 2), &games).standings());
    let rows: Vec<&str> = text.lines().skip(2).take(6).collect();
    assert!(rows[1].contains("100.0% (> 86.1)          > "), "{text}");
    assert!(rows[1].contains("    1-3  "), "{text}");
    assert!(rows[2].contains("  0 (-"), "{text}");
    for note in [
        "> and <: one-sided interval of bots that won or lost every game against others\n",
        "2 unconnected groups: ratings are comparable only within a group: a, b, c; d, e\n",
        "rating 0 = mean of b, c\n",
        "no interval: all deals had the same result, or there is too little data\n",
    ] {
        assert!(text.contains(note), "{note} in {text}");
    }
    let probabilities = text.split("\nprobability").nth(1).unwrap();
    let first = probabilities.lines().nth(3).unwrap();
    assert_eq!(first.split_whitespace().collect::<Vec<_>>()[3..], [">99.9", ">99.9", "-", "-"]);
    let seat =
        |text: &str| text.lines().find(|line| line.contains("first-move")).map(str::to_owned);
    assert!(seat(&text).unwrap().contains("first-move advantage: 0 (-"), "{text}");
}

/// Games of three as in Durak: each has a point but the last one, and a bot that forfeits is the last.
fn of_three() -> Standings {
    let mut games = vec![
        game(0, &[0, 1, 2], &[1, 1, 0]),
        game(0, &[1, 2, 0], &[1, 0, 1]),
        game(0, &[2, 0, 1], &[1, 0, 1]),
        game(1, &[0, 1, 2], &[2, 1, 0]),
    ];
    let out = [(Seat::new(1).unwrap(), Verdict::Crash)];
    let seats = vec![Entrant(0), Entrant(1), Entrant(2)].into();
    let scores = vec![Score::points(1); 3].into();
    games.push(Game::new(2, seats, scores, &out).unwrap());
    tally(setup(3, 3), &games).standings()
}

#[test]
fn with_more_than_two_seats_every_format_has_the_places() {
    // By place in all games, the mean of it, and the games without the last one.
    let expected = [
        ("a", "4/0/1", "1.40", [3, 0, 1]),
        ("b", "3/1/1", "1.60", [3, 1, 0]),
        ("c", "2/0/3", "2.20", [1, 0, 3]),
    ];
    let standings = of_three();
    let (text, markdown) = (text(&standings), markdown(&standings));
    let note = "places: number of games finished in each place, first to last; ties count as the \
         best shared place";
    assert_eq!(text.lines().filter(|line| *line == note).count(), 2, "{text}");
    let heading = text.lines().nth(2).unwrap().split_whitespace().collect::<Vec<_>>();
    assert_eq!(heading[5..9], ["lost", "places", "mean", "place"], "{text}");
    let rows = csv_rows(&standings).unwrap();
    let (heading, records) = read(&rows);
    let value: serde_json::Value = serde_json::from_str(&json(&standings).unwrap()).unwrap();
    for (name, places, mean, without) in expected {
        let line = |line: &&str| line.split_whitespace().nth(1) == Some(name);
        let row = text.lines().skip(2).find(line).unwrap();
        let cells: Vec<&str> = row.split_whitespace().collect();
        assert_eq!(cells[6..8], [places, mean], "{text}");
        assert!(markdown.contains(&format!(" | {places} | {mean} | ")), "{markdown}");
        let record = records.iter().find(|record| cell(&heading, record, "name") == name).unwrap();
        let in_csv = ["place_1", "place_2", "place_3"].map(|place| cell(&heading, record, place));
        assert_eq!(in_csv.join("/"), places, "{rows}");
        assert_eq!(cell(&heading, record, "mean_place"), mean.trim_end_matches('0'));
        let row = |view: &str| {
            let rows = value[view]["rows"].as_array().unwrap();
            rows.iter().find(|row| row["name"] == name).unwrap().clone()
        };
        let counted = row("all")["places"].as_array().unwrap().clone();
        let counted: Vec<String> = counted.iter().map(ToString::to_string).collect();
        assert_eq!(counted.join("/"), places);
        assert_eq!(row("all")["mean_place"].as_f64(), mean.parse().ok());
        assert_eq!(row("without_forfeits")["places"], serde_json::json!(without));
    }
}

#[test]
fn two_seats_have_no_places_but_won_and_lost() {
    let standings = duel(["greedy", "random"]);
    for told in [text(&standings), csv_rows(&standings).unwrap(), json(&standings).unwrap()] {
        assert!(!told.contains("place"), "{told}");
    }
}

#[test]
fn text_without_games_is_a_table_of_nothing() {
    let text = text(&tally(setup(1, 2), &[]).standings());
    assert!(text.starts_with("standings: 0 games, 0 deals\n\nrank  bot  games"), "{text}");
    assert!(!text.contains("NaN"), "{text}");
}

#[test]
fn many_deals_say_how_they_were_resampled() {
    let duels = Duels { strengths: vec![0.0; 21], seat: 0.0, draws: 0.0, luck: 0.0 };
    let of = |bots: usize| {
        let games = duels.tournament(30, &mut Chance::new(1));
        let games = games.iter().filter(|game| game.seats().values().iter().all(|it| it.0 < bots));
        text(&tally(setup(bots, 2), games).standings())
    };
    let text = of(3);
    assert!(text.contains("bootstrap over deals, 1000 replicates, seed 0\n"), "{text}");
    assert!(
        text.contains("\nhead-to-head scores in %") && !text.contains("excluding forfeited"),
        "{text}"
    );
    // Every two of 21 bots would be too wide.
    assert!(!of(21).contains("\nhead-to-head scores in %"));
}

#[test]
fn markdown_has_the_cells_of_the_text() {
    let standings = duel(["greedy", "random"]);
    let markdown = markdown(&standings);
    let cells: Vec<&str> = markdown.split_whitespace().filter(|word| *word != "|").collect();
    for word in text(&standings).split_whitespace() {
        assert!(cells.contains(&word) || word.starts_with('<'), "{word}");
    }
    assert!(markdown.contains("\n| rank | bot | games |"), "{markdown}");
    assert!(markdown.contains("\n| :-- | :-- | --: |"), "{markdown}");
}

#[test]
fn names_cannot_break_out_of_a_table() {
    let standings = duel(["a|b\n\u{1b}[2J", "c,\"d\""]);
    let text = text(&standings);
    assert!(!text.contains('\u{1b}') && text.contains(r"a|b\n\u{1b}[2J"), "{text}");
    let markdown = markdown(&standings);
    assert!(markdown.contains(r"| a\|b\\n\\u{1b}\[2J |"), "{markdown}");
    let (heading, records) = read(&csv_rows(&standings).unwrap());
    let names: Vec<&str> = records.iter().map(|it| cell(&heading, it, "name")).collect();
    assert_eq!(names, [r"a|b\n\u{1b}[2J", "c,\"d\"", r"a|b\n\u{1b}[2J", "c,\"d\""]);
}

fn read(text: &str) -> (StringRecord, Vec<StringRecord>) {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let heading = reader.headers().unwrap().clone();
    (heading, reader.records().map(Result::unwrap).collect())
}

fn cell<'a>(heading: &StringRecord, record: &'a StringRecord, name: &str) -> &'a str {
    let place = heading.iter().position(|it| it == name).unwrap();
    record.get(place).unwrap()
}

#[test]
fn spreadsheets_have_a_line_for_each_bot_and_for_every_two_in_either_view() {
    let standings = duel(["greedy", "random"]);
    let (heading, records) = read(&csv_rows(&standings).unwrap());
    assert_eq!(records.len(), 4);
    let of = |line: usize, name| cell(&heading, &records[line], name);
    assert_eq!([of(0, "view"), of(2, "view")], ["all", "without-forfeits"]);
    assert_eq!([of(0, "name"), of(0, "rank"), of(0, "score")], ["greedy", "1", "0.8"]);
    assert_eq!([of(1, "forfeited"), of(1, "forfeited_timeout")], ["1", "1"]);
    assert_eq!([of(2, "games"), of(2, "points_for"), of(2, "margin")], ["4", "53", "1.5"]);
    let low = standings.all.rows[0].margin.unwrap().interval.unwrap().low.unwrap();
    assert_eq!(of(0, "margin_low").parse(), Ok(low));
    // Below five deals ratings have no interval.
    assert_eq!([of(0, "rating_low"), of(0, "rating_high"), of(0, "best_rank")], ["", "", ""]);

    let (heading, records) = read(&csv_crosstable(&standings).unwrap());
    assert_eq!(records.len(), 2);
    let of = |name| cell(&heading, &records[0], name);
    assert_eq!([of("name"), of("opponent"), of("won"), of("lost")], ["greedy", "random", "4", "1"]);
    assert_eq!(of("better").parse().ok(), standings.all.crosstable[0].better);

    let (heading, records) = read(&csv_rows(&tally(setup(2, 2), &[]).standings()).unwrap());
    assert_eq!(cell(&heading, &records[0], "rating"), "");
}

#[test]
fn json_is_one_line_with_null_where_there_is_nothing() {
    let text = json(&duel(["greedy", "random"])).unwrap();
    assert!(!text.contains('\n'));
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    let best = &value["all"]["rows"][0];
    assert_eq!((&best["name"], &best["score"]["value"]), (&"greedy".into(), &0.8.into()));
    assert_eq!(value["all"]["method"]["name"], "t");
    assert_eq!(value["all"]["rows"][1]["forfeits"], serde_json::json!({ "timeout": 1 }));
    assert_eq!(value["all"]["sprt"]["decision"], "continue");
    assert_eq!(value["all"]["pairs"]["counts"], serde_json::json!([0, 0, 1, 0, 1]));

    let text = json(&tally(setup(2, 2), &[]).standings()).unwrap();
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert!(value["all"]["rows"][0]["rating"].is_null());
}
