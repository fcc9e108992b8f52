package dev.cleave.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads {@code round-robin}, {@code static("2:1:1")} and the other policies. */
final class BalanceText {

    static final int MAX_WEIGHT = 1_000;

    static final int MAX_DEMAND = 65_536;

    private static final List<String> WORDS = List.of(
            "round-robin",
            "static(\"1:1\")",
            "demand(2)",
            "pull",
            "least-loaded",
            "learned",
            "affinity(expression)",
            "class(com.example.Nearest)");
    private static final Pattern DEMAND = Pattern.compile("demand\\(\\s*(-?\\d{1,9})\\s*\\)");
    private static final Pattern PULL = Pattern.compile("pull(?:\\(\\s*(-?\\d{1,9})\\s*(?:,\\s*(\\S.*?)\\s*)?\\))?");
    private static final Pattern CLASS = Pattern.compile("class\\(\\s*([^\\s,)]+)\\s*(?:,\\s*(\\S.*?)\\s*)?\\)");
    private static final Pattern AFFINITY = Pattern.compile("affinity\\(\\s*(\\S.*?)\\s*\\)");
    private static final Pattern STATIC = Pattern.compile("static\\(\\s*\"?\\s*([\\d:]+)\\s*\"?\\s*\\)");

    private BalanceText() {}

    /** Reads a policy; assigns the weights of {@code static} to the replicas in their order. */
    static Balance read(String text, List<ReplicaBinding> replicas) {
        if (text.equals("round-robin")) {
            return new Balance.RoundRobin();
        }
        if (text.equals("least-loaded")) {
            return new Balance.LeastLoaded();
        }
        if (text.equals("learned")) {
            return new Balance.Learned();
        }
        Matcher demand = DEMAND.matcher(text);
        if (demand.matches()) {
            return new Balance.Demand(number("window", text, demand.group(1)));
        }
        Matcher pull = PULL.matcher(text);
        if (pull.matches()) {
            int group = pull.group(1) == null ? 1 : number("group", text, pull.group(1));
            return new Balance.Pull(group, keys(pull.group(2)));
        }
        Matcher chosen = CLASS.matcher(text);
        if (chosen.matches()) {
            return new Balance.Chosen(Values.className(chosen.group(1)), keys(chosen.group(2)));
        }
        Matcher affinity = AFFINITY.matcher(text);
        if (affinity.matches()) {
            return new Balance.Affinity(Values.expression(unquoted(affinity.group(1))));
        }
        Matcher ratio = STATIC.matcher(text);
        if (!ratio.matches()) {
            throw new IllegalArgumentException(text + ": unknown value " + Nearest.hint(text, WORDS));
        }
        String[] weights = ratio.group(1).split(":", -1);
        if (weights.length != replicas.size()) {
            throw new IllegalArgumentException(text + ": " + weights.length + " weights (expected: " + replicas.size()
                    + ", one for each of the replicas listed)");
        }
        Map<String, Integer> byName = new LinkedHashMap<>();
        for (int i = 0; i < weights.length; i++) {
            byName.put(replicas.get(i).name(), weight(text, weights[i]));
        }
        if (byName.values().stream().allMatch(weight -> weight == 0)) {
            throw new IllegalArgumentException(text + ": no weight above 0 (expected: at least one)");
        }
        return new Balance.StaticRatio(byName);
    }

    private static int number(String what, String text, String digits) {
        int number = Integer.parseInt(digits);
        if (number < 1 || number > MAX_DEMAND) {
            throw new IllegalArgumentException(
                    text + ": " + what + " " + number + " (expected: a number from 1 to " + MAX_DEMAND + ")");
        }
        return number;
    }

    private static @Nullable String keys(@Nullable String expression) {
        return expression == null ? null : Values.expression(unquoted(expression));
    }

    private static String unquoted(String text) {
        boolean isQuoted = text.length() > 1 && text.startsWith("\"") && text.endsWith("\"");
        return isQuoted ? text.substring(1, text.length() - 1) : text;
    }

    private static int weight(String text, String weight) {
        int value = weight.matches("\\d{1,4}") ? Integer.parseInt(weight) : -1;
        if (value < 0 || value > MAX_WEIGHT) {
            throw new IllegalArgumentException(
                    text + ": weight '" + weight + "' (expected: a number from 0 to " + MAX_WEIGHT + ")");
        }
        return value;
    }
}
