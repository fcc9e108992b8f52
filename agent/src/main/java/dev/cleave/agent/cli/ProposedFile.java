package dev.cleave.agent.cli;

import dev.cleave.agent.plan.verdict.Remedy;
import dev.cleave.agent.plan.verdict.Verdict;
import dev.cleave.agent.report.MethodVerdicts;
import dev.cleave.agent.report.Plain;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.objectweb.asm.ClassReader;

/**
 * The application file that would free calls of a program: the style async for each method of which the search for
 * remedies says so. The program's author decides whether calls of the method may overlap.
 */
final class ProposedFile {

    private static final String ASYNC = "@Async";
    private static final int INTERFACE_METHOD = 11;

    private final Map<String, Set<String>> interfaces = new TreeMap<>(); // internal names by Interface.method

    /** Notes the interfaces that a class calls; a class that cannot be read calls none. */
    void add(byte[] classFile) {
        try {
            addCalled(classFile);
        } catch (ArrayIndexOutOfBoundsException | IllegalArgumentException e) {
            return; // the report says that it cannot be read
        }
    }

    private void addCalled(byte[] classFile) {
        ClassReader reader = new ClassReader(classFile);
        char[] buffer = new char[reader.getMaxStringLength()];
        for (int item = 1; item < reader.getItemCount(); item++) {
            int at = reader.getItem(item);
            if (at > 0 && classFile[at - 1] == INTERFACE_METHOD) {
                String owner = reader.readClass(at, buffer);
                String method = reader.readUTF8(reader.getItem(reader.readUnsignedShort(at + 2)), buffer);
                String simple = owner.substring(Math.max(owner.lastIndexOf('/'), owner.lastIndexOf('$')) + 1);
                interfaces
                        .computeIfAbsent(simple + "." + method, call -> new TreeSet<>())
                        .add(owner);
            }
        }
    }

    /** Returns the text of the file; empty if a style would free no call. */
    String text(List<MethodVerdicts> methods) {
        Map<String, Set<String>> freed = new TreeMap<>();
        for (MethodVerdicts each : methods) {
            for (Verdict verdict : each.verdicts()) {
                Remedy remedy = verdict.remedy();
                Set<String> owners = interfaces.getOrDefault(verdict.call(), Set.of());
                if (remedy != null && remedy.word().equals(ASYNC)) {
                    String method = verdict.call().substring(verdict.call().lastIndexOf('.') + 1);
                    owners.forEach(owner ->
                            freed.computeIfAbsent(owner, o -> new TreeSet<>()).add(method));
                }
            }
        }
        return freed.isEmpty() ? "" : file(freed);
    }

    private static String file(Map<String, Set<String>> freed) {
        StringBuilder text = new StringBuilder("services:\n");
        Set<String> names = new TreeSet<>();
        freed.forEach((owner, methods) -> {
            String type = Plain.line(owner.replace('/', '.'));
            text.append("  ")
                    .append(name(owner, names))
                    .append(":\n    interface: ")
                    .append(type);
            text.append("\n    methods:\n");
            methods.forEach(
                    method -> text.append("      ").append(Plain.line(method)).append(": {style: async}\n"));
        });
        return text.toString();
    }

    private static String name(String owner, Set<String> taken) {
        String simple = owner.substring(Math.max(owner.lastIndexOf('/'), owner.lastIndexOf('$')) + 1);
        String name = Plain.line(simple.toLowerCase(Locale.ROOT));
        for (int number = 2; !taken.add(name); number++) {
            name = Plain.line(simple.toLowerCase(Locale.ROOT)) + number;
        }
        return name;
    }
}
