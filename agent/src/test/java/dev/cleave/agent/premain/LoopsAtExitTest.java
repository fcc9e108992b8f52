package dev.cleave.agent.premain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.agent.cli.ShopProgram;
import dev.cleave.agent.plan.verdict.Verdict;
import dev.cleave.agent.scan.CallSettings;
import dev.cleave.agent.scan.ClassFileSource;
import dev.cleave.agent.scan.RemoteInterfaceIndex;
import dev.cleave.agent.transform.Rewritten;
import dev.cleave.agent.transform.Weaver;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the report at exit says of the loops of loaded classes that come to a call by an interface. */
@Tag("one-jdk")
class LoopsAtExitTest {

    @TempDir
    Path directory;

    private final AtomicLong clock = new AtomicLong();

    private List<String> reasons(long step, boolean isCallerLoaded) throws Exception {
        Path classes = ShopProgram.compile(directory);
        ShopProgram.add(classes, "Prices", "package com.shop; public interface Prices { int price(String article); }");
        ShopProgram.add(
                classes,
                "PriceBean",
                "package com.shop; public class PriceBean implements Prices { Stock stock; public int price(String article) { return stock.level(article); } }");
        ShopProgram.add(
                classes,
                "Caller",
                "package com.shop; public class Caller { static int run(Prices p, int n) { int t = 0; while (t < n) { t += p.price(\"a\"); } return t; } }");
        URL[] path = {classes.toUri().toURL()};
        try (URLClassLoader loader = new URLClassLoader(path, getClass().getClassLoader())) {
            Class<?> bean = loader.loadClass("com.shop.PriceBean");
            Class<?> caller = loader.loadClass("com.shop.Caller");
            ClassFileSource files = ClassFileSource.OF_LOADERS;
            Weaver weaver = new Weaver(new RemoteInterfaceIndex(files, CallSettings.NONE), files);
            Rewritten rewritten = weaver.weave(loader, Files.readAllBytes(classes.resolve("com/shop/PriceBean.class")));
            Findings findings = new Findings();
            findings.add(loader, rewritten);
            Class<?>[] loaded = isCallerLoaded ? new Class<?>[] {bean, String.class, caller} : new Class<?>[] {bean};
            return new LoopsAtExit(loaded, () -> clock.getAndAdd(step))
                    .named(findings.all()).stream()
                            .flatMap(found -> found.verdicts().values().stream())
                            .flatMap(List::stream)
                            .map(Verdict::refusal)
                            .filter(Objects::nonNull)
                            .map(refusal -> refusal.reason())
                            .toList();
        }
    }

    @Test
    void theLoopOfALoadedClassIsNamed() throws Exception {
        assertThat(reasons(1, true))
                .containsExactly("Caller.run (Caller.java:1) calls PriceBean.price through Prices in a loop");
    }

    @Test
    void aClassThatIsNotLoadedIsNotLookedAt() throws Exception {
        assertThat(reasons(1, false)).containsExactly("no other call stands near it");
    }

    @Test
    void itEndsWhenItsTimeIsOver() throws Exception {
        assertThat(reasons(1_000_000_000L, true)).containsExactly("no other call stands near it");
    }
}
