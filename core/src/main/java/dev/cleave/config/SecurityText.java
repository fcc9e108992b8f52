package dev.cleave.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Reads the section {@code security} of an application file. */
final class SecurityText {

    static final List<String> RIGHT = List.of("identity", "register", "call", "administer");
    static final List<String> SECURITY = security();

    private static final List<String> COMMANDS = List.of("drain", "list", "reload", "*");

    private SecurityText() {}

    static Security read(Section root) {
        Section section = root.section("security").orElse(null);
        if (section == null) {
            return Security.NONE;
        }
        section.allow(SECURITY);
        Map<String, String> keys = new LinkedHashMap<>();
        for (String word : KeyFiles.WORDS) {
            String text = section.value(word, Values::path);
            if (text != null) {
                keys.put(
                        word,
                        word.equals("identity") ? text : beside(root.place().file(), text));
            }
        }
        List<Rights.Grant> grants = new ArrayList<>();
        for (Section right : section.sections("rights")) {
            Rights.Grant grant = right.attempt(() -> grant(right));
            if (grant != null) {
                grants.add(grant);
            }
        }
        return new Security(keys, grants);
    }

    private static Rights.Grant grant(Section right) {
        right.allow(RIGHT);
        Pattern identity = right.value("identity", SecurityText::pattern);
        if (identity == null) {
            throw right.place().mistake("no identity (expected: identity: NAME)");
        }
        return new Rights.Grant(
                identity,
                right.values("register", SecurityText::pattern),
                right.values("call", SecurityText::pattern),
                right.values("administer", SecurityText::command));
    }

    private static List<String> security() {
        List<String> words = new ArrayList<>(KeyFiles.WORDS);
        words.add("rights");
        return List.copyOf(words);
    }

    private static Pattern pattern(String text) {
        return Rights.pattern(Values.path(text));
    }

    private static Pattern command(String text) {
        if (!COMMANDS.contains(text)) {
            throw new IllegalArgumentException(text + ": unknown value " + Nearest.hint(text, COMMANDS));
        }
        return Rights.pattern(text);
    }

    /** Returns a path, which begins at the folder of the application file. */
    private static String beside(String file, String path) {
        Path folder = Path.of(file).toAbsolutePath().getParent();
        return folder == null ? path : folder.resolve(path).toString();
    }
}
