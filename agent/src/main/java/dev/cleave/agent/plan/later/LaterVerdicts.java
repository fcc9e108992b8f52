package dev.cleave.agent.plan.later;

import static java.util.Objects.requireNonNull;

import dev.cleave.agent.ir.BranchOp;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.LocalVariable;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.ir.ReturnOp;
import dev.cleave.agent.plan.later.LaterPlan.Kind;
import dev.cleave.agent.plan.later.LaterPlan.Parameter;
import dev.cleave.agent.plan.later.LaterPlan.Wait;
import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.verdict.Refusal;
import dev.cleave.agent.plan.verdict.Verdict;
import dev.cleave.agent.rule.Rule;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.Opcodes;

/** Says of each parameter, and each result of a call, that may arrive later where its method waits for it. */
public final class LaterVerdicts {

    private static final Rule PARAMETERS = Rule.L3;
    private static final Rule RESULTS = Rule.L5;

    private LaterVerdicts() {}

    /**
     * The verdicts on the parameters of a body as written.
     *
     * @param unmarked the parameters that arrive later only if a caller chooses them: the report has no line on them
     */
    public static List<Verdict> of(MethodBody body, LaterPlan plan, Set<Integer> unmarked) {
        List<Verdict> verdicts = new ArrayList<>();
        for (int i = 0; i < plan.parameters().size(); i++) {
            Parameter parameter = plan.parameters().get(i);
            Set<String> places = new LinkedHashSet<>();
            int first = -1;
            for (Op op : body.ops()) {
                for (Wait wait : plan.waits().getOrDefault(op, List.of())) {
                    if ((wait.values() & 1 << i) != 0 && wait.kind() != Kind.NONE && wait.kind() != Kind.STUB) {
                        int line = body.lineOf(op);
                        first = first < 0 ? line : first;
                        places.add(place(wait, op, line));
                    }
                }
            }
            String where = places.isEmpty() ? "nothing waits for it" : "waits " + String.join("; ", places);
            if (parameter.call() == null && unmarked.contains(parameter.number())) {
                continue;
            } else if (parameter.call() == null) {
                verdicts.add(verdict(nameOf(body, parameter), first, where));
            } else {
                int line = body.lineOf(parameter.call());
                String call = "result of "
                        + Method.nameOf(requireNonNull(parameter.call().method()));
                verdicts.add(verdict(RESULTS, call, line, where));
            }
        }
        return verdicts;
    }

    /** The verdict where a method waits for all parameters before it begins. */
    public static Verdict atEntry(String reason) {
        return verdict("parameters", -1, "wait whole before the method begins: " + reason);
    }

    private static Verdict verdict(String parameter, int line, String where) {
        return verdict(PARAMETERS, parameter, line, where);
    }

    private static Verdict verdict(Rule rule, String parameter, int line, String where) {
        Refusal why = new Refusal(rule, line, where, "");
        return new Verdict(line, "@Later " + parameter, Verdict.Outcome.LATER, 1, why);
    }

    private static String place(Wait wait, Op op, int line) {
        String at = line < 0 ? "" : " at line " + line;
        return switch (wait.kind()) {
            case NONE, STUB -> "";
            case LENGTH -> "for the array itself" + at;
            case ELEMENT -> "for each element" + at;
            case PASS -> "for nothing" + at + ": it is passed on as it comes";
            case WHOLE -> "whole" + at + ": " + use(op, wait.value());
        };
    }

    private static String use(Op op, Register value) {
        if (op instanceof ReturnOp) {
            return "returned";
        }
        if (op instanceof BranchOp) {
            return "compared";
        }
        if (op instanceof InsnOp insn) {
            if (insn.method() != null) {
                String name = Method.nameOf(insn.method());
                if (!insn.uses().contains(value)) {
                    return "before " + name;
                }
                boolean isReceiver = insn.opcode() != Opcodes.INVOKESTATIC
                        && insn.uses().indexOf(value) == 0
                        && insn.uses().lastIndexOf(value) == 0;
                return isReceiver ? name : "passed to " + name;
            }
            if (insn.field() != null) {
                return insn.opcode() == Opcodes.GETFIELD ? "field " + insn.field().name : "stored";
            }
            return switch (insn.opcode()) {
                case Opcodes.INVOKEDYNAMIC -> "captured";
                case Opcodes.CHECKCAST, Opcodes.INSTANCEOF -> "cast or tested";
                case Opcodes.AASTORE -> "stored";
                default -> "used";
            };
        }
        return "used";
    }

    private static String nameOf(MethodBody body, Parameter parameter) {
        return body.variables().stream()
                .filter(variable -> variable.slot() == parameter.register().position())
                .map(LocalVariable::name)
                .findFirst()
                .orElse("parameter " + (parameter.number() + 1));
    }
}
