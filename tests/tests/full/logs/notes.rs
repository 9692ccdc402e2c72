//! Notes of bots, from standard error to `explain`, `export` and reports.

use std::fs;

use serde_json::{Value, json};
use tests::bench::Bench;
use tests::log;

/// A bot that plays the first legal move, and notes the number of the move and other things.
const NOTING: &str = r#"request=$(cat)
move=$(echo "$request" | sed -n 's/^move //p')
echo "note eval 0.5" >&2
echo "thinking about move $move" >&2
echo "note eval 0.$((10 + move))0" >&2
echo "note nodes $((1000 * move))" >&2
echo 'note best =1+1' >&2
echo 'note not a note: é' >&2
echo "$request" | sed -n '/^legal /{n;p;}'
"#;

/// The same for a resident program: its notes belong to one answer each.
const RESIDENT: &str = r#"while read -r key rest; do
  case $key in
    move) move=$rest ;;
    legal) read -r first ;;
    end) echo "note nodes $((1000 * move))" >&2; echo "$first" ;;
  esac
done
"#;

/// A game between a bot that notes and one that does not, in the log `log`.
fn played(bot: &str, script: &str, options: &[&str]) -> (Bench, Value) {
    let bench = Bench::new();
    bench.write("noting.sh", script);
    let game = bench.play("tablic", options, &[bot, "greedy"]).remove(0);
    (bench, game)
}

/// The rows of the moves with some notes, as lines of JSON.
fn exported(bench: &Bench, keys: &str) -> Vec<Value> {
    let words = ["export", "log", "--features", "moves", "--format", "jsonl", "--notes", keys];
    bench.run(words).json()
}

#[test]
fn notes_are_columns_of_the_moves() {
    let (bench, game) = played("mine=sh noting.sh", NOTING, &[]);
    let rows = exported(&bench, "nodes,eval,best,nothing,eval");
    assert_eq!(rows.len(), log::answers(&game).len());
    for row in &rows {
        let number = row["move"].as_u64().expect("a number");
        let notes: Vec<&Value> = ["nodes", "eval", "best", "nothing"]
            .iter()
            .map(|key| &row[format!("note_{key}")])
            .collect();
        if row["player"] == "mine" {
            let eval: f64 = format!("0.{}", 10 + number).parse().expect("a number");
            assert_eq!(notes, [&json!(1000 * number), &json!(eval), &json!("=1+1"), &Value::Null]);
        } else {
            assert_eq!(notes, [&Value::Null; 4], "{row}");
        }
    }
    let words = ["export", "log", "--features", "moves"];
    let plain = bench.succeed(words);
    let csv = bench.succeed([&words[..], &["--notes", "eval,best"]].concat());
    for ((line, plain), row) in csv.lines().zip(plain.lines()).skip(1).zip(&rows) {
        // A spreadsheet would compute a text that begins like a formula.
        let noted = match row["player"] == "mine" {
            true => format!("{},'=1+1", row["note_eval"]),
            false => ",".to_owned(),
        };
        assert_eq!(line, format!("{plain},{noted}"));
    }
    let heading = csv.lines().next().expect("a heading");
    assert!(heading.ends_with(",final_points,place,note_eval,note_best"), "{heading}");
    assert!(!plain.contains("note"), "{plain}");
    let keys = "a key of 1 to 32 letters, digits and `_`, `-`, `.`";
    let long = "k".repeat(33);
    for (features, key, says) in [
        ("greedy", "eval", "--notes needs `--features moves`, not `greedy`"),
        ("minimax", "eval", "--notes needs `--features moves`, not `minimax`"),
        ("expert", "eval", "--notes needs `--features moves`, not `expert`"),
        ("moves", "", keys),
        ("moves", "a b", keys),
        ("moves", "eval,", keys),
        ("moves", "é", keys),
        ("moves", &long, keys),
    ] {
        let ended = bench.run(["export", "log", "--features", features, "--notes", key]);
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{ended:?}");
        assert!(ended.stderr.contains(says), "{ended:?}");
    }
}

#[test]
fn a_program_that_lives_for_a_whole_game_notes_with_each_answer() {
    let (bench, _) = played("mine=resident:sh noting.sh", RESIDENT, &[]);
    let rows = exported(&bench, "nodes");
    let own: Vec<&Value> = rows.iter().filter(|row| row["player"] == "mine").collect();
    assert!(own.len() > 10, "{}", own.len());
    for row in own {
        let number = row["move"].as_u64().expect("a number");
        assert_eq!(row["note_nodes"], 1000 * number, "{row}");
    }
}

#[test]
fn a_note_that_was_cut_off_is_left_out() {
    // The cut leaves the first digits of the number.
    let nodes = "echo \"note nodes 77777777777777777777\" >&2; echo \"note other";
    let script = NOTING.replace("echo \"note nodes", nodes);
    let (bench, game) = played("mine=sh noting.sh", &script, &["--stderr-size", "80"]);
    let measured = game["measured"].as_array().expect("measurements");
    let is_cut = |it: &&Value| {
        it["stderr"].as_str().is_some_and(|it| it.contains("note nodes 77") && it.ends_with('7'))
    };
    assert!(measured.iter().filter(is_cut).count() > 3, "{measured:?}");
    let rows = exported(&bench, "eval,nodes");
    assert!(rows.iter().all(|row| row["note_nodes"].is_null()), "{rows:?}");
    assert!(rows.iter().any(|row| row["note_eval"].is_f64()), "{rows:?}");
}

#[test]
fn notes_of_an_answer_that_is_a_fault_are_explained() {
    let script = "echo 'note eval 0.25' >&2\necho 'note why no idea' >&2\nexit 3\n";
    let (bench, _) = played("mine=sh noting.sh", script, &[]);
    let told = bench.succeed(["explain", "log"]);
    assert!(told.contains("  verdict  crash: exit 3\n"), "{told}");
    assert!(told.contains("  notes    eval  0.25\n           why   no idea\n"), "{told}");
    // Its row is missing, as that of every fault.
    assert_eq!(exported(&bench, "eval").iter().filter(|row| row["player"] == "mine").count(), 0);
}

#[test]
fn explain_and_a_report_have_the_notes_of_each_answer() {
    let (bench, game) = played("mine=sh noting.sh", NOTING, &[]);
    let seat = log::seat_of(&game, "mine");
    let number = (4 + seat).to_string();
    let words = ["explain", "log", "--game", "0", "--move", &number];
    let told = bench.succeed(words);
    let eval = format!("0.{}0", 14 + seat);
    let expected = format!(
        "  notes    eval   {eval}\n           nodes  {number}000\n           best   =1+1\n  stderr   "
    );
    assert!(told.contains(&expected), "{told}");
    // In brief, notes are not repeated; a line that is no note stays.
    let (_, stderr) = told.split_once("  stderr   ").expect("standard error");
    let (stderr, _) = stderr.split_once("  limits   ").expect("limits");
    assert!(stderr.contains("; without its notes\n"), "{stderr}");
    assert!(stderr.contains(&format!("\n           thinking about move {number}\n")), "{stderr}");
    assert!(stderr.contains("\n           note not a note: "), "{stderr}");
    assert!(!stderr.contains("note eval"), "{stderr}");
    let full = bench.succeed([&words[..], &["--full"]].concat());
    assert!(full.contains("\n           note eval 0.5\n"), "{full}");
    let answer = bench.run([&words[..], &["--json"]].concat()).json().remove(0);
    let notes =
        json!({"eval": eval.parse::<f64>().ok(), "nodes": 1000 * (4 + seat), "best": "=1+1"});
    assert_eq!(answer["answer"]["notes"], notes);
    bench.succeed(["report", "log", "-o", "public"]);
    let public = bench.text("public/data/games-0.js");
    assert!(!public.contains("stderr") && !public.contains("notes"), "it is for everybody");
    bench.succeed(["report", "log", "-o", "pages", "--with-stderr"]);
    let read = |name: &str| fs::read_to_string(bench.path("pages").join(name)).expect("a page");
    let games = read("data/games-0.js");
    let own: Vec<usize> = (seat..log::answers(&game).len()).step_by(2).collect();
    for number in &own {
        let notes = format!(
            r#""notes":[["eval","0.{eval}0",0.{short}],["nodes","{nodes}",{nodes}.0],["best","=1+1"]]"#,
            eval = 10 + number,
            short = (10 + number).to_string().trim_end_matches('0'),
            nodes = 1000 * number,
        );
        assert!(games.contains(&notes), "{notes}");
    }
    assert_eq!(games.matches("\"notes\":").count(), own.len());
    let (least, most) = (1000 * own[0], 1000 * own[own.len() - 1]);
    let row = |page: &str| {
        let (_, row) = page.split_once(">nodes</th>")?;
        Some(row.split_once("</tr>").expect("its end").0.to_owned())
    };
    let page = |name: &str| {
        let place = game["seats"].as_array().expect("seats").iter().position(|it| it == name);
        read(&format!("bots/{}.html", place.expect("a bot") + 1))
    };
    let cells: String = [own.len(), (least + most) / 2, least, most]
        .iter()
        .map(|it| format!(" <td>{it}</td>"))
        .collect();
    let found = row(&page("mine")).expect("a row").replace("><td", "> <td");
    assert_eq!(found.trim(), cells.trim());
    assert!(!page("mine").contains(">best</th>"), "texts have no mean");
    assert_eq!(row(&page("greedy")), None);
    assert!(!page("greedy").contains("Bot notes"));
}
