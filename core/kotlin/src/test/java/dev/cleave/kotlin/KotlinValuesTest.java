package dev.cleave.kotlin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.acme.shop.Part;
import dev.cleave.RefusedTypeException;
import dev.cleave.Remote;
import dev.cleave.broker.Broker;
import dev.cleave.broker.BrokerOptions;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.serial.ValueCodecContract;
import dev.cleave.transport.Endpoint;
import java.util.List;
import java.util.Map;
import java.util.Set;
import kotlin.Pair;
import kotlin.collections.CollectionsKt;
import kotlin.collections.MapsKt;
import kotlin.collections.SetsKt;
import kotlin.sequences.Sequence;
import org.junit.jupiter.api.Test;

/** The values of Kotlin's library that programs pass most. */
class KotlinValuesTest {

    /** Returns what it is given. */
    @Remote
    public interface Values {

        List<Part> list(List<Part> value);

        Set<String> set(Set<String> value);

        Map<String, Part> map(Map<String, Part> value);

        Pair<String, Integer> pair(Pair<String, Integer> value);
    }

    /** As {@link Values}. */
    public static final class Echo implements Values {

        @Override
        public List<Part> list(List<Part> value) {
            return value;
        }

        @Override
        public Set<String> set(Set<String> value) {
            return value;
        }

        @Override
        public Map<String, Part> map(Map<String, Part> value) {
            return value;
        }

        @Override
        public Pair<String, Integer> pair(Pair<String, Integer> value) {
            return value;
        }
    }

    /** Has what is no value. */
    @Remote
    public interface Lazy {

        Sequence<String> all();
    }

    /** What {@code buildList} and its like make of a lambda that is inlined. */
    private static List<Part> built(Part part) {
        List<Part> builder = CollectionsKt.createListBuilder();
        builder.add(part);
        return CollectionsKt.build(builder);
    }

    private static Set<String> builtSet() {
        Set<String> builder = SetsKt.createSetBuilder();
        builder.add("a");
        return SetsKt.build(builder);
    }

    private static Map<String, Part> builtMap(Part part) {
        Map<String, Part> builder = MapsKt.createMapBuilder();
        builder.put("a", part);
        return MapsKt.build(builder);
    }

    @Test
    void theCodecsKeepTheirContract() throws Exception {
        ValueCodecContract.check(new CollectionCodec.OfEmptyList(), List.of(CollectionsKt.emptyList()), Object::equals);
        ValueCodecContract.check(new CollectionCodec.OfEmptySet(), List.of(SetsKt.emptySet()), Object::equals);
        ValueCodecContract.check(new CollectionCodec.OfEmptyMap(), List.of(MapsKt.emptyMap()), Object::equals);
    }

    @Test
    void collectionsPairsAndDataClassesTravelAndSequencesDoNot() {
        Part part = new Part("wheel", null);
        try (Broker broker = Broker.start(BrokerOptions.at(Endpoint.tcp("localhost", 0)));
                Node node = Node.connect(NodeOptions.DEFAULT.withBroker(broker.endpoint()));
                Node client = Node.connect(NodeOptions.DEFAULT.withBroker(broker.endpoint()))) {
            node.bind("values", Values.class, new Echo());
            Values values = client.lookup("values", Values.class);

            for (List<Part> list : List.of(
                    CollectionsKt.<Part>emptyList(),
                    CollectionsKt.listOf(part),
                    CollectionsKt.listOf(part, part),
                    built(part),
                    CollectionsKt.reversed(List.of(part, new Part("axle", 1))))) {
                assertThat(values.list(list)).isEqualTo(list);
            }
            for (Set<String> set :
                    List.of(SetsKt.<String>emptySet(), SetsKt.setOf("a"), SetsKt.setOf("a", "b"), builtSet())) {
                assertThat(values.set(set)).isEqualTo(set);
            }
            for (Map<String, Part> map :
                    List.of(MapsKt.<String, Part>emptyMap(), MapsKt.mapOf(new Pair<>("a", part)), builtMap(part))) {
                assertThat(values.map(map)).isEqualTo(map);
            }
            assertThat(values.pair(new Pair<>("a", null))).isEqualTo(new Pair<>("a", null));
            node.bind("lazy", Lazy.class, () -> CollectionsKt.asSequence(List.of("a")));
            Lazy lazy = client.lookup("lazy", Lazy.class);
            assertThatThrownBy(lazy::all)
                    .isInstanceOf(RefusedTypeException.class)
                    .hasMessageContaining("Lazy.all: the result")
                    .hasMessageContaining("cannot be sent");
        }
    }
}
