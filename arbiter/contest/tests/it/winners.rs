//! The line that names the winner of a match, or says that its games do not show who is best.

use contest::playing::match_text::winner;
use rules::GameRecord;
use serde_json::json;
use series::Series;
use series::game_status::{GameStatus, Totals};

/// The line below a match in which each game has a deal of its own. Points are those of the players, in their order.
fn line(points: &[Vec<u64>]) -> String {
    let count = points[0].len();
    let names: Vec<String> = (0..count).map(|place| format!("p{place}")).collect();
    let player = |name: &String| {
        json!({"name": name, "command": name, "files": [], "limits": {
            "time_ms": 1000, "memory_bytes": 1, "processes": 1, "file_bytes": 1, "open_files": 1,
            "answer_bytes": 1, "stderr_bytes": 1}})
    };
    let header = json!({"format": 1, "version": "0", "game": "tablic", "options": format!("seats={count}"),
        "games": points.len(), "players": names.iter().map(player).collect::<Vec<_>>(), "retries": 0, "suspect_games": "count",
        "commitment": "00".repeat(32)});
    let header = serde_json::from_value(header).expect("a header");
    let series = Series::new(header).expect("it makes sense");
    let mut totals = Totals::new(&series);
    for (number, points) in (0..).zip(points) {
        let scores: Vec<u64> =
            series.seating(number).players.values().iter().map(|place| points[*place]).collect();
        let out: Vec<Option<&str>> = vec![None; count];
        let record = json!({"number": number, "attempt": 0, "deal": number, "id": "00".repeat(16),
            "seats": names, "bot_seeds": "00".repeat(32), "inputs": [], "events": [], "measured": [],
            "result": {"ending": "played", "scores": scores, "out": out}});
        let game: GameRecord = serde_json::from_value(record).expect("a game");
        totals.add(&game, GameStatus::Counts, &series);
    }
    winner(&totals)
}

fn repeated(points: &[u64], games: usize) -> Vec<Vec<u64>> {
    vec![points.to_vec(); games]
}

/// The seats of a match of two change the table from game to game; the winner of a noisy one was named before.
#[test]
fn a_match_of_two_names_a_winner_that_its_games_show() {
    assert_eq!(line(&repeated(&[2, 1], 1)), "p0 wins with 2 points\n");
    let few = "p0 6, p1 3 points: these 3 games do not show who is better; about 3 more would\n";
    assert_eq!(line(&repeated(&[2, 1], 3)), few);
    assert_eq!(line(&repeated(&[2, 1], 6)), "p0 wins with 12 points\n");
    let tied = "p0 4, p1 4 points: these 4 games do not show who is better\n";
    assert_eq!(line(&repeated(&[1, 1], 4)), tied);
}

/// With three players and more, the player with the most points won however close the others were.
#[test]
fn a_match_of_more_says_which_players_its_games_do_not_tell_apart() {
    assert_eq!(line(&repeated(&[1, 2, 3], 6)), "p2 wins with 18 points\n");
    let mut games = repeated(&[4, 9, 1], 20);
    games.iter_mut().step_by(2).for_each(|game| game[0] = 15);
    assert_eq!(
        line(&games),
        "p0 190, p1 180 points: these 20 games do not show who is better; about 982 more would\n"
    );
    let tied = "p0 24, p2 24 points: these 8 games do not show who is better\n";
    assert_eq!(line(&repeated(&[3, 1, 3], 8)), tied);
    let few =
        "p1 9, p2 6, p0 3 points: these 3 games do not show who is best; about 3 more would\n";
    assert_eq!(line(&repeated(&[1, 3, 2], 3)), few);
    let one = repeated(&[1, 3, 2], 1);
    assert_eq!(line(&one), "p1 wins with 3 points\n");
}

#[test]
fn of_many_players_that_are_not_told_apart_some_are_named() {
    let many =
        "p0 4, p1 4, p2 4, p3 4 points and 2 others: these 2 games do not show who is best\n";
    assert_eq!(line(&repeated(&[2; 6], 2)), many);
}
