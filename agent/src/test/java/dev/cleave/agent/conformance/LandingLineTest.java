package dev.cleave.agent.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.agent.scan.CallSettings;
import dev.cleave.agent.scan.ClassFileSource;
import dev.cleave.agent.scan.RemoteInterfaceIndex;
import dev.cleave.agent.transform.Weaver;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.MethodNode;

/** What a debugger sees when an exception leaves a rewritten method. */
class LandingLineTest {

    private static final int RETURN = 9;

    @Test
    void theCodeThatSettlesStraightLineCallsHasNotTheLastLineOfTheMethod() {
        assertThat(linesOfHandlers("int a = s.f(n);", "int b = s.g(n);", "count++;", "int t = a + b;", "return t;"))
                .isNotEmpty()
                .doesNotContain(RETURN);
    }

    @Test
    void theCodeThatSettlesALoopHasNotTheLastLineOfTheMethod() {
        assertThat(linesOfHandlers("int t = 0;", "for (int i = 0; i < n; i++) {", "t += s.f(i);", "}", "return t;"))
                .isNotEmpty()
                .doesNotContain(RETURN);
    }

    private static List<Integer> linesOfHandlers(String... statements) {
        Map<String, byte[]> classes = Compiler.compile(Map.of("p.Lands", """
                package p;
                public class Lands {
                    static int count;
                    static int run(dev.cleave.agent.conformance.Svc s, int n) {
                        %s
                    }
                }
                """.formatted(String.join("\n", statements))));
        ClassFileSource files = (loader, name) -> {
            byte[] own = classes.get(name.replace('/', '.'));
            return own != null ? own : ClassFileSource.ofResources(loader, name);
        };
        Weaver weaver = new Weaver(new RemoteInterfaceIndex(files, CallSettings.NONE), files);
        byte[] woven = weaver.weave(LandingLineTest.class.getClassLoader(), classes.get("p.Lands"))
                .classFile();
        ClassNode type = new ClassNode();
        new ClassReader(woven).accept(type, 0);
        List<Integer> found = new ArrayList<>();
        for (MethodNode method : type.methods) {
            if (method.name.equals("run")) {
                Map<LabelNode, Integer> lines = lines(method);
                method.tryCatchBlocks.forEach(block -> found.add(lines.get(block.handler)));
            }
        }
        return found;
    }

    /** The line of the first instruction behind each label. */
    private static Map<LabelNode, Integer> lines(MethodNode method) {
        Map<LabelNode, Integer> lines = new HashMap<>();
        List<LabelNode> waiting = new ArrayList<>();
        int line = -1;
        for (AbstractInsnNode insn : method.instructions) {
            if (insn instanceof LabelNode label) {
                waiting.add(label);
            } else if (insn instanceof LineNumberNode number) {
                line = number.line;
            } else if (insn.getOpcode() >= 0) {
                for (LabelNode label : waiting) {
                    lines.put(label, line);
                }
                waiting.clear();
            }
        }
        return lines;
    }
}
