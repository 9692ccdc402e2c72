//! Results of a contest for a grade book.

use serde_json::{Value, json};
use tests::handing_in::set;
use tests::league::{league, play};

#[test]
fn results_for_a_grade_book_join_people_bots_ranks_and_exceptions() {
    let bench = league(&["random", "anna=greedy"]);
    bench.succeed(["league", "invite", "class", "anna", "--person", "=Anna"]);
    bench.write("class.csv", "name,member,email\nteam,zoe,zoe@x\nteam,max,=max\n");
    let tokens = bench.succeed(["league", "invite", "class", "--csv", "class.csv"]);
    assert!(tokens.starts_with("name,member,person,token,email\nteam,zoe,,"), "{tokens}");
    assert!(tokens.contains(",zoe@x\n") && tokens.ends_with(",'=max\n"), "{tokens}");
    set(&bench, "deadline = 2020-01-01T00:00:00Z");
    let until = ["--until", "2100-01-01T00:00:00Z", "--reason", "ill"];
    bench.succeed([&["league", "extend", "class", "anna"][..], &until].concat());
    play(&bench, "8");
    bench.succeed([
        "league",
        "stage",
        "class",
        "--format",
        "knockout",
        "--with-house",
        "--name",
        "final",
    ]);
    bench.succeed(["league", "run", "class", "--stage", "--quiet"]);
    let json = bench.run(["league", "results", "class", "--format", "json"]).json();
    let rows: Vec<&Value> = json.iter().map(|line| &line["participant"]).collect();
    let anna = rows.iter().find(|row| row["participant"] == "anna").expect("a row");
    assert_eq!((&anna["bot"], &anna["person"]), (&json!("anna@1"), &json!("=Anna")));
    assert!(anna["rank"].is_u64() && anna["points"].is_f64(), "{anna}");
    assert_eq!(anna["places"][0]["stage"], "stage 0 final");
    assert!(anna["places"][0]["place"].is_string(), "{anna}");
    let decided = anna["places"][0]["decided"].as_str().expect("words");
    assert!(decided.starts_with("final: ") && anna["suspect_forfeits"] == 0, "{anna}");
    assert_eq!(anna["exceptions"][0], "anna: deadline extended to 2100-01-01 00:00:00 UTC (ill)");
    let team = rows.iter().find(|row| row["participant"] == "team").expect("a row");
    assert_eq!((&team["members"], &team["rank"]), (&json!(["max", "zoe"]), &Value::Null));
    assert!(rows.iter().any(|row| row["bot"] == "random@1" && row["participant"].is_null()));
    let columns = |name: &str| bench.succeed(["league", "results", "class", "--columns", name]);
    let all = columns("all");
    assert!(all.starts_with("participant,person,members,bot,version,state,rank,"), "{all}");
    assert!(all.contains(",forfeits,suspect_forfeits,exceptions,stage 0 final,"), "{all}");
    assert!(all.contains("\nanna,'=Anna,,anna,1,active,"), "{all}");
    assert!(all.contains(decided), "{all}");
    let moodle = columns("moodle");
    assert!(
        moodle.starts_with("username,fullname,rank,points,score,feedback\nanna,'=Anna,"),
        "{moodle}"
    );
    assert!(moodle.contains("deadline extended") && moodle.contains("\nzoe,zoe,,"), "{moodle}");
    assert_eq!(moodle.lines().count(), 4, "a row for each person: {moodle}");
    let canvas = columns("canvas");
    assert!(canvas.contains("\n'=Anna,,,anna,,"), "{canvas}");
    let wrong =
        bench.run(["league", "results", "class", "--format", "json", "--columns", "moodle"]);
    wrong.assert_refused(2, &["--columns is for --format csv"]);
}
