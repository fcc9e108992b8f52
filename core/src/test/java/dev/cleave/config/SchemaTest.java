package dev.cleave.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.wire.Route;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

class SchemaTest {

    private final Map<?, ?> schema = read();

    @Test
    void knowsTheKeysThatTheReaderKnows() {
        assertThat(keys(schema)).containsExactlyElementsOf(KeyLists.ROOT);
        assertThat(keys(definition("service"))).containsExactlyElementsOf(KeyLists.SERVICE);
        assertThat(keys(definition("call"))).containsExactlyElementsOf(KeyLists.CALL);
        assertThat(keys(definition("replica"))).containsExactlyElementsOf(KeyLists.REPLICA);
        assertThat(keys(definition("link"))).containsExactlyElementsOf(KeyLists.LINK);
        assertThat(keys(definition("client"))).containsExactlyElementsOf(KeyLists.CLIENT);
        assertThat(keys(definition("aggregate"))).containsExactlyElementsOf(TrafficText.AGGREGATE);
        assertThat(keys(definition("security"))).containsExactlyElementsOf(SecurityText.SECURITY);
        assertThat(keys(definition("right"))).containsExactlyElementsOf(SecurityText.RIGHT);
        assertThat(keys(definition("pings"))).containsExactlyElementsOf(KeyLists.PINGS);
    }

    @Test
    void knowsTheValuesThatTheReaderKnows() {
        assertThat(property("service", "route").get("enum"))
                .isEqualTo(Arrays.stream(Route.values())
                        .map(r -> r.name().toLowerCase())
                        .toList());
        assertThat(definition("style").get("enum"))
                .isEqualTo(Arrays.stream(Style.values())
                        .map(s -> s.name().toLowerCase().replace('_', '-'))
                        .toList());
        assertThat(definition("communication").get("enum")).isEqualTo(words(Communication.values()));
        assertThat(((Map<?, ?>) ((List<?>) definition("transport").get("anyOf")).get(0)).get("enum"))
                .isEqualTo(Carrier.BUILT_IN.stream().map(Carrier::word).toList());
        assertThat(definition("window").get("maximum")).isEqualTo(BindingsReader.MAX_WINDOW);
        assertThat(property("service", "workers").get("maximum")).isEqualTo(BindingsReader.MAX_WORKERS);
        assertThat(property("service", "queue").get("maximum")).isEqualTo(BindingsReader.MAX_QUEUE);
    }

    private static List<String> words(Enum<?>[] constants) {
        return Arrays.stream(constants).map(each -> each.name().toLowerCase()).toList();
    }

    private static Iterable<String> keys(Map<?, ?> object) {
        assertThat(object.get("additionalProperties")).isEqualTo(false);
        return ((Map<?, ?>) object.get("properties"))
                .keySet().stream().map(String::valueOf).toList();
    }

    private Map<?, ?> definition(String name) {
        return (Map<?, ?>) ((Map<?, ?>) schema.get("$defs")).get(name);
    }

    private Map<?, ?> property(String definition, String name) {
        return (Map<?, ?>) ((Map<?, ?>) definition(definition).get("properties")).get(name);
    }

    private static Map<?, ?> read() {
        try {
            String text = Files.readString(Path.of("../docs/cleave.schema.json")); // JSON is YAML
            return (Map<?, ?>) new Load(LoadSettings.builder().build()).loadFromString(text);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
