import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/*
 * Plays any game: a legal move at random. A start for your own bot.
 *
 * A bot reads a request from standard input and prints one move. These are its lines:
 *
 *   arbiter 1          the version of the protocol, always the first line
 *   game NAME OPTIONS  the game and its options
 *   match ID           a name of this game, the same in all its requests
 *   seat S             your seat; seats count from 0 in the order of turns
 *   move K             the number of moves before this one in the game
 *   time T             milliseconds for this answer
 *   seed X             16 hexadecimal digits for your randomness, new in every request
 *   retry K            your last answer broke a rule, and this is retry K
 *   reason TEXT        the rule that it broke
 *   view N             N lines follow: all you can see of the current state, KEY VALUE...
 *   history N          N lines follow: the events so far, one per line
 *   legal N            N lines follow: legal moves; `legal N more` means that there are others
 *   end                the last line; another request may follow
 *
 * Lines with other keys are skipped, because later versions may add some.
 */
final class RandomBot {
    /** A request: the text behind each key, and the lines of `view`, `history` and `legal`. */
    private static final class Request {
        final Map<String, String> values = new HashMap<>();
        final Map<String, List<String>> lists = new HashMap<>();
    }

    /** The next request; null where no other comes. */
    private static Request readRequest(BufferedReader input) throws IOException {
        Request request = new Request();
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            String[] words = line.trim().split(" ", 2);
            String key = words[0];
            String value = words.length > 1 ? words[1] : "";
            if (key.equals("end")) return request;
            if (key.equals("arbiter") && !value.equals("1")) {
                System.err.println("expected version 1 of the protocol, found `" + value + "`");
                System.exit(1);
            }
            if (key.equals("view") || key.equals("history") || key.equals("legal")) {
                List<String> list = new ArrayList<>();
                for (int left = Integer.parseInt(value.split(" ")[0]); left > 0; left--)
                    list.add(input.readLine());
                request.lists.put(key, list);
            } else {
                request.values.put(key, value);
            }
        }
        return null;
    }

    /** The move to play. */
    private static String choose(Request request) {
        // YOUR BOT GOES HERE. All your seat knows is in the lists `view` and `history`.
        // If a bot uses only this seed for randomness, it plays the same in a repeated match.
        List<String> moves = request.lists.get("legal");
        long seed = Long.parseUnsignedLong(request.values.get("seed"), 16);
        return moves.get((int) Long.remainderUnsigned(seed, moves.size()));
    }

    public static void main(String[] arguments) throws IOException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        for (Request request = readRequest(input); request != null; request = readRequest(input))
            System.out.println(choose(request));
    }
}
