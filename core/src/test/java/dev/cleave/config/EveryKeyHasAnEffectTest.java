package dev.cleave.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.testing.EffectOf;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** Each key of the schema is named by an {@link EffectOf} in the tests of some module. */
@Tag("one-jdk")
class EveryKeyHasAnEffectTest {

    private static final Pattern EFFECTS = Pattern.compile("@EffectOf\\(\\{?((?:\\s*\"[a-z.-]+\",?)+)\\s*}?\\)");
    private static final Pattern KEY = Pattern.compile("\"([a-z.-]+)\"");

    /** Sections whose keys have effects, and they have none of their own. */
    private static final Set<String> NAMES = Set.of("services");

    @Test
    void eachKeyOfTheSchemaHasATestOfWhatItDoes() throws IOException {
        Set<String> keys = keys();
        assertThat(keys).contains("broker", "services.window", "services.link.delay", "security.rights.call");

        assertThat(tested()).containsExactlyInAnyOrderElementsOf(keys);
    }

    private static Set<String> keys() throws IOException {
        Map<?, ?> schema = (Map<?, ?>) new Load(LoadSettings.builder().build())
                .loadFromString(Files.readString(Path.of("../docs/cleave.schema.json"))); // JSON is YAML
        Set<String> keys = new TreeSet<>();
        collect(schema, schema, "", keys);
        keys.removeAll(NAMES);
        return keys;
    }

    /** Collects the keys of an object; those of a method count as those of its service, except {@code later}. */
    private static void collect(Map<?, ?> schema, Map<?, ?> object, String path, Set<String> keys) {
        if (!(object.get("properties") instanceof Map<?, ?> properties)) {
            return;
        }
        properties.forEach((name, value) -> {
            String key = path.replace(".methods.", ".").replace("replicas.link.", "link.") + name;
            boolean isOfMethod = path.endsWith(".methods.");
            keys.add(isOfMethod && name.equals("later") ? path + name : key);
            nested(schema, (Map<?, ?>) value, path + name + ".", keys);
        });
    }

    private static void nested(Map<?, ?> schema, Map<?, ?> value, String path, Set<String> keys) {
        Map<?, ?> object = resolved(schema, value);
        if (object.get("items") instanceof Map<?, ?> items) {
            object = resolved(schema, items);
        }
        if (object.get("additionalProperties") instanceof Map<?, ?> named && !path.endsWith("options.")) {
            object = resolved(schema, named);
        }
        collect(schema, object, path, keys);
    }

    private static Map<?, ?> resolved(Map<?, ?> schema, Map<?, ?> object) {
        Object reference = object.get("$ref");
        return reference == null
                ? object
                : (Map<?, ?>) ((Map<?, ?>) schema.get("$defs"))
                        .get(reference.toString().replace("#/$defs/", ""));
    }

    private static Set<String> tested() throws IOException {
        Set<String> tested = new TreeSet<>();
        try (Stream<Path> modules = Files.walk(Path.of(".."), 3)) {
            List<Path> roots = modules.map(module -> module.resolve("src/test/java"))
                    .filter(Files::isDirectory)
                    .toList();
            for (Path root : roots) {
                try (Stream<Path> files = Files.walk(root)) {
                    for (Path file : files.filter(each -> each.toString().endsWith("Test.java"))
                            .toList()) {
                        Matcher effects = EFFECTS.matcher(Files.readString(file));
                        while (effects.find()) {
                            Matcher key = KEY.matcher(effects.group(1));
                            while (key.find()) {
                                tested.add(key.group(1));
                            }
                        }
                    }
                }
            }
        }
        return tested;
    }
}
