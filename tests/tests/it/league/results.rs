//! Results of a contest for a grade book.

use serde_json::{Value, json};
use tests::handing_in::set;
use tests::league::{league, play};

#[test]
fn results_for_a_grade_book_join_people_bots_ranks_and_exceptions() {
    let bench = league(&["random", "anna=greedy"]);
    bench.ok("league invite class anna --person =Anna");
    bench.write("class.csv", "name,member,email\nteam,zoe,zoe@x\nteam,max,=max\n");
    let tokens = bench.ok("league invite class --csv class.csv");
    assert!(tokens.starts_with("name,member,person,token,email\nteam,zoe,,"), "{tokens}");
    assert!(tokens.contains(",zoe@x\n") && tokens.ends_with(",'=max\n"), "{tokens}");
    set(&bench, "deadline = 2020-01-01T00:00:00Z");
    bench.ok("league extend class anna --until 2100-01-01T00:00:00Z --reason ill");
    play(&bench, "8");
    bench.ok("league stage class --format knockout --with-house --name final");
    bench.ok("league run class --stage --quiet");
    let json = bench.line("league results class --format json").json();
    let rows: Vec<&Value> = json.iter().map(|line| &line["participant"]).collect();
    let row = |name: &str| *rows.iter().find(|row| row["participant"] == name).expect("a row");
    let anna = row("anna");
    assert_eq!((&anna["bot"], &anna["person"]), (&json!("anna@1"), &json!("=Anna")));
    assert!(anna["rank"].is_u64() && anna["points"].is_f64(), "{anna}");
    let place = &anna["places"][0];
    assert!(place["stage"] == "stage 0 final" && place["place"].is_string(), "{anna}");
    let decided = place["decided"].as_str().expect("words");
    assert!(decided.starts_with("final: ") && anna["suspect_forfeits"] == 0, "{anna}");
    assert_eq!(anna["exceptions"][0], "anna: deadline extended to 2100-01-01 00:00:00 UTC (ill)");
    let team = row("team");
    assert_eq!((&team["members"], &team["rank"]), (&json!(["max", "zoe"]), &Value::Null));
    assert!(rows.iter().any(|row| row["bot"] == "random@1" && row["participant"].is_null()));
    for (columns, expected) in [
        (
            "all",
            &[
                "participant,person,members,bot,version,state,rank,",
                "\nanna,'=Anna,,anna,1,active,",
                ",forfeits,suspect_forfeits,exceptions,stage 0 final,",
                decided,
            ][..],
        ),
        (
            "moodle",
            &[
                "username,fullname,rank,points,score,feedback\nanna,'=Anna,",
                "deadline extended",
                "\nzoe,zoe,,",
            ],
        ),
        ("canvas", &["\n'=Anna,,,anna,,"]),
    ] {
        let told = bench.ok(&format!("league results class --columns {columns}"));
        for words in expected {
            assert!(told.contains(words), "{columns}: {words}: {told}");
        }
        assert!(columns != "moodle" || told.lines().count() == 4, "a row for each person: {told}");
    }
    let wrong = "league results class --format json --columns moodle";
    bench.refuses(wrong, "--columns needs --format csv");
}
