import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;

/** Plays any game: answers with one of the listed legal moves, chosen at random.
 *
 * A bot reads a request from standard input and prints one move, and that is all.
 */
final class RandomBot {
    public static void main(String[] arguments) throws IOException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        long seed = 0;
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            // Every line is a key and its value. Keys that are not known here are passed over, so
            // that the bot still plays when a later version of the protocol has more of them.
            String[] words = line.split(" ");
            switch (words[0]) {
                // The seed differs for every request. A bot that takes all chance from it plays
                // the same again when a match is repeated.
                case "seed" -> seed = Long.parseUnsignedLong(words[1], 16);
                // So many lines follow: what the seat knows now, or what has happened.
                case "view", "history" -> {
                    for (int left = Integer.parseInt(words[1]); left > 0; left--) input.readLine();
                }
                // So many moves follow; `legal 1000 more` says that there are others not listed.
                case "legal" -> {
                    String[] moves = new String[Integer.parseInt(words[1])];
                    for (int place = 0; place < moves.length; place++)
                        moves[place] = input.readLine();
                    System.out.println(moves[(int) Long.remainderUnsigned(seed, moves.length)]);
                }
                default -> {}
            }
        }
    }
}
