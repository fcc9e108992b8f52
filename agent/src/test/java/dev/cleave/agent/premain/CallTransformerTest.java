package dev.cleave.agent.premain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.Async;
import dev.cleave.Remote;
import dev.cleave.agent.scan.CallSetting;
import dev.cleave.agent.scan.CallSettings;
import dev.cleave.agent.scan.ClassFileSource;
import dev.cleave.agent.scan.Reading;
import dev.cleave.agent.scan.RemoteInterfaceIndex;
import dev.cleave.agent.transform.FileSettings;
import dev.cleave.agent.transform.Weaver;
import dev.cleave.testing.EffectOf;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CallTransformerTest {

    private static final ClassLoader LOADER = CallTransformerTest.class.getClassLoader();

    private final Findings findings = new Findings();
    private final List<String> messages = new ArrayList<>();
    private final CallTransformer transformer = new CallTransformer(
            new Weaver(
                    new RemoteInterfaceIndex(ClassFileSource::ofResources, CallSettings.NONE),
                    ClassFileSource::ofResources),
            findings,
            new ReentrancyGuard(),
            module -> true,
            messages::add);

    /** A remote interface. */
    @Remote
    public interface Pair {
        /** One call. */
        @Async
        int one(int x);

        /** Another call. */
        @Async
        int two(int x);
    }

    static final class Caller {
        static int both(Pair pair) {
            return pair.one(1) + pair.two(2);
        }
    }

    static final class Bystander {
        static int none() {
            return 1;
        }
    }

    private static byte[] bytesOf(Class<?> type) {
        byte[] bytes = ClassFileSource.ofResources(LOADER, type.getName().replace('.', '/'));
        assertThat(bytes).isNotNull();
        return bytes;
    }

    @Test
    void rewritesClassesOfTheProgramThatCallRemotely() {
        byte[] changed = transformer.transform(null, LOADER, "com/shop/Caller", null, null, bytesOf(Caller.class));

        assertThat(changed).isNotNull();
        assertThat(findings.all()).hasSize(1);
        assertThat(messages).isEmpty();
    }

    @Test
    void leavesOthersAlone() {
        byte[] caller = bytesOf(Caller.class);

        assertThat(transformer.transform(null, LOADER, "com/shop/Bystander", null, null, bytesOf(Bystander.class)))
                .isNull();
        assertThat(transformer.transform(null, null, "com/shop/Caller", null, null, caller))
                .isNull();
        assertThat(transformer.transform(null, LOADER, null, null, null, caller))
                .isNull();
        assertThat(transformer.transform(null, LOADER, "dev/cleave/node/Caller", null, null, caller))
                .isNull();
        assertThat(transformer.transform(null, LOADER, "jdk/internal/reflect/Caller", null, null, caller))
                .isNull();
        assertThat(transformer.transform(null, LOADER, "dev/cleave/examples/Caller", null, null, caller))
                .isNotNull();
        assertThat(messages).isEmpty();
    }

    @Test
    void leavesClassesAloneWhoseLoaderDoesNotSeeTheCore() {
        ClassLoader bare = new ClassLoader(null) {
            @Override
            public URL getResource(String name) {
                return name.startsWith("dev/cleave/rt/") ? null : LOADER.getResource(name);
            }
        };

        assertThat(transformer.transform(null, bare, "com/shop/Caller", null, null, bytesOf(Caller.class)))
                .isNull();
    }

    @Test
    void leavesClassesOfVersionsToComeAloneAndSaysSoOnce() {
        byte[] future = bytesOf(Caller.class).clone();
        future[7] = 99;

        assertThat(transformer.transform(null, LOADER, "com/shop/Future", null, null, future))
                .isNull();
        assertThat(transformer.transform(null, LOADER, "com/shop/Future", null, null, future))
                .isNull();
        assertThat(messages)
                .containsExactly("cleave agent: com/shop/Future is left as it is: class file version: 99"
                        + " (expected: at most 71; a newer agent may know it)");
    }

    @Test
    void tellsOfTheFirstFailureOnlyAndNeverThrows() {
        byte[] broken = bytesOf(Caller.class).clone();
        Arrays.fill(broken, broken.length - 200, broken.length, (byte) 0x7F);

        assertThat(transformer.transform(null, LOADER, "com/shop/Broken", null, null, broken))
                .isNull();
        assertThat(transformer.transform(null, LOADER, "com/shop/Broken", null, null, broken))
                .isNull();
        assertThat(messages).hasSize(1);
        assertThat(messages.get(0)).startsWith("cleave agent: com/shop/Broken is left as it is: ");
    }

    @EffectOf("services.max-age")
    @Test
    void readsCallStylesFromAnApplicationFile(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("cleave.yaml");
        Files.writeString(file, """
            services:
              pair:
                interface: com.shop.Pair
                methods:
                  one: { style: sync }
                  two: { style: async, window: 8 }
                  four: { pure: true }
                  five: { style: sync, read-only: true, max-age: 2s }
            """);
        FileSettings settings = FileSettings.read(file.toString(), LOADER);

        assertThat(settings.of("com.shop.Pair", "one", CallSetting.async(64))).isEqualTo(CallSetting.SYNC);
        assertThat(settings.of("com.shop.Pair", "two", CallSetting.SYNC)).isEqualTo(CallSetting.async(8));
        assertThat(settings.of("com.shop.Pair", "three", CallSetting.async(5))).isEqualTo(CallSetting.async(5));
        assertThat(settings.of("com.shop.Pair", "four", CallSetting.SYNC))
                .isEqualTo(CallSetting.SYNC.with(Reading.PURE));
        assertThat(settings.of("com.shop.Pair", "five", CallSetting.async(5)))
                .isEqualTo(CallSetting.SYNC.with(Reading.readOnly(Duration.ofSeconds(2))));
        assertThat(settings.of("com.shop.Other", "one", CallSetting.SYNC)).isEqualTo(CallSetting.SYNC);
    }
}
