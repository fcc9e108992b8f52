package dev.cleave.agent.plan;

import dev.cleave.agent.effect.BodyEffects;
import dev.cleave.agent.effect.Effects;
import dev.cleave.agent.ir.IrBuilder;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.Unsupported;
import dev.cleave.agent.plan.helper.Helpers;
import dev.cleave.agent.plan.helper.OtherClasses;
import dev.cleave.agent.plan.verdict.Verdict;
import dev.cleave.agent.scan.CallSetting;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodNode;

/** How long planning takes for whole jars, if every interface of theirs were remote; a program, not a test. */
final class PlanningTimes {

    private final Map<Verdict.Outcome, Integer> outcomes = new EnumMap<>(Verdict.Outcome.class);
    private final List<String> slowest = new ArrayList<>();
    private int methods;
    private long planning;

    private PlanningTimes() {}

    /** Measures the jars named. */
    public static void main(String[] jars) throws IOException {
        for (String jar : jars) {
            System.out.println(new PlanningTimes().measure(Path.of(jar)));
        }
    }

    private String measure(Path path) throws IOException {
        Map<String, byte[]> classes = new HashMap<>();
        try (JarFile jar = new JarFile(path.toFile())) {
            for (JarEntry entry : (Iterable<JarEntry>) jar.stream()::iterator) {
                if (entry.getName().endsWith(".class") && !entry.getName().startsWith("META-INF")) {
                    byte[] bytes = jar.getInputStream(entry).readAllBytes();
                    classes.put(new ClassReader(bytes).getClassName(), bytes);
                }
            }
        }
        long begun = System.nanoTime();
        Effects effects = new Effects(
                classes::get, (owner, name, descriptor) -> owner.startsWith("java/") ? null : CallSetting.async(8));
        for (byte[] bytes : classes.values()) {
            ClassNode node = new ClassNode();
            new ClassReader(bytes).accept(node, ClassReader.EXPAND_FRAMES);
            for (MethodNode method : node.methods) {
                plan(node, method, effects);
            }
        }
        slowest.sort((a, b) -> b.compareTo(a));
        return String.format(
                "%s: %d methods with calls, planned in %.2f s (with reading and effects %.2f s), %s; slowest %s",
                path.getFileName(),
                methods,
                planning / 1e9,
                (System.nanoTime() - begun) / 1e9,
                outcomes,
                slowest.subList(0, Math.min(3, slowest.size())));
    }

    private void plan(ClassNode owner, MethodNode method, Effects effects) {
        MethodBody body;
        try {
            body = IrBuilder.build(owner.name, owner.version & 0xFFFF, method);
        } catch (Unsupported e) {
            return;
        }
        BodyEffects known = effects.of(body);
        boolean calls = body.ops().stream().anyMatch(op -> known.settingOf(op) != null);
        if (!calls) {
            return;
        }
        body.ops().forEach(known::of);
        methods++;
        long begun = System.nanoTime();
        OtherClasses others = new OtherClasses(effects, call -> false, name -> null, (type, user) -> null);
        MethodPlan plan = MethodPlanner.plan(body, new Helpers(owner, others, Set.of()));
        long took = System.nanoTime() - begun;
        planning += took;
        slowest.add(String.format(
                "%8.1f ms %s.%s (%d ops)",
                took / 1e6, owner.name, method.name, body.ops().size()));
        plan.verdicts().forEach(verdict -> outcomes.merge(verdict.outcome(), 1, Integer::sum));
    }
}
