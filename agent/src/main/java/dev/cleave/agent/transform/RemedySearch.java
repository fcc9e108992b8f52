package dev.cleave.agent.transform;

import dev.cleave.agent.effect.RemoteCalls;
import dev.cleave.agent.plan.verdict.Refusal;
import dev.cleave.agent.plan.verdict.Remedy;
import dev.cleave.agent.plan.verdict.Verdict;
import dev.cleave.agent.rule.Rule;
import dev.cleave.agent.scan.CallSetting;
import dev.cleave.agent.scan.CallSetting.Style;
import dev.cleave.agent.scan.ClassFiles;
import dev.cleave.agent.scan.Reading;
import dev.cleave.agent.scan.TrustLevel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Looks for the word on a remote method that would free its sequential calls (R65): plans the class again as if the
 * method carried the word, by the same rules. If several words would do, it names the one that asks for least.
 */
final class RemedySearch {

    private static final List<Word> WORDS = List.of(
            new Word("@Async", false, setting -> setting.with(Style.ASYNC, window(setting))),
            new Word(
                    "@Async(speculative = true)",
                    false,
                    setting -> new CallSetting(
                            Style.ASYNC,
                            window(setting),
                            true,
                            setting.group(),
                            setting.reading(),
                            setting.restored())),
            new Word("@ReadOnly", true, setting -> reading(setting, Reading.readOnly(Duration.ZERO))),
            new Word("@Pure", true, setting -> reading(setting, Reading.PURE)));

    private final ClassFiles files;
    private final RemoteCalls remote;

    /**
     * A word.
     *
     * @param reads whether it says that the method changes nothing
     */
    private record Word(String text, boolean reads, UnaryOperator<CallSetting> meaning) {}

    RemedySearch(ClassFiles files, RemoteCalls remote) {
        this.files = files;
        this.remote = remote;
    }

    /** The same verdicts, sequential ones with their remedy. */
    Map<String, List<Verdict>> remedied(byte[] classFile, Map<String, List<Verdict>> verdicts) {
        Map<String, List<Verdict>> remedied = new LinkedHashMap<>(verdicts);
        for (String call : sequential(verdicts)) {
            for (Word word : WORDS) {
                Map<String, List<Verdict>> then = verdicts(classFile, call, word);
                remedied.replaceAll((method, now) -> merged(now, then.getOrDefault(method, List.of()), call, word));
                if (!sequential(remedied).contains(call)) {
                    break;
                }
            }
        }
        return remedied;
    }

    /** The remote methods with calls that are sequential and have no remedy. */
    private static Set<String> sequential(Map<String, List<Verdict>> verdicts) {
        Set<String> calls = new LinkedHashSet<>();
        verdicts.values()
                .forEach(all ->
                        all.stream().filter(RemedySearch::needsRemedy).forEach(verdict -> calls.add(verdict.call())));
        return calls;
    }

    private static boolean needsRemedy(Verdict verdict) {
        return verdict.outcome() == Verdict.Outcome.SEQUENTIAL && verdict.remedy() == null;
    }

    private Map<String, List<Verdict>> verdicts(byte[] classFile, String call, Word word) {
        Altered altered = new Altered(remote, call, word);
        Map<String, List<Verdict>> then =
                new ClassRewriter(files, altered).rewrite(classFile).verdicts();
        return altered.differs ? then : Map.of();
    }

    /** Remote calls as they would be with a word on one of the remote methods. */
    private static final class Altered implements RemoteCalls {

        private final RemoteCalls now;
        private final String call;
        private final Word word;
        private boolean differs;

        Altered(RemoteCalls now, String call, Word word) {
            this.now = now;
            this.call = call;
            this.word = word;
        }

        @Override
        public @Nullable CallSetting settingOf(String owner, String name, String descriptor) {
            CallSetting setting = now.settingOf(owner, name, descriptor);
            if (setting == null || !ClassRewriter.nameOf(owner, name).equals(call)) {
                return setting;
            }
            if (word.reads && WritingMethods.seemsToWrite(name, descriptor)) {
                return setting;
            }
            CallSetting then = setting.style() == Style.ONE_WAY ? setting : word.meaning.apply(setting);
            differs |= !then.equals(setting);
            return then;
        }

        @Override
        public Map<String, Set<Integer>> latersOf(String internalName) {
            return now.latersOf(internalName);
        }

        @Override
        public Map<String, Set<Integer>> streamablesOf(String internalName) {
            return now.streamablesOf(internalName);
        }

        @Override
        public boolean mayCall(String internalName) {
            return now.mayCall(internalName);
        }

        @Override
        public TrustLevel trustIn(String owner, String name) {
            return now.trustIn(owner, name);
        }
    }

    private static List<Verdict> merged(List<Verdict> now, List<Verdict> then, String call, Word word) {
        if (then.size() != now.size()) {
            return now;
        }
        List<Verdict> merged = new ArrayList<>();
        for (int i = 0; i < now.size(); i++) {
            Verdict verdict = now.get(i);
            Verdict other = then.get(i);
            boolean isAsked = needsRemedy(verdict)
                    && verdict.call().equals(call)
                    && other.call().equals(call);
            if (isAsked && overlaps(other)) {
                merged.add(verdict.with(new Remedy(word.text, other.outcome(), other.window())));
            } else {
                merged.add(isAsked ? ofLoneCall(verdict, other) : verdict);
            }
        }
        return merged;
    }

    /** Returns the verdict on a call, with other advice if its method has no style and would stay where it is with one, since no other call is near it. */
    private static Verdict ofLoneCall(Verdict now, Verdict then) {
        Refusal refusal = now.refusal();
        Refusal other = then.refusal();
        boolean staysAlone = other != null && other.rule() == Rule.R16;
        return staysAlone && refusal != null && refusal.isWithoutStyle() ? now.with(refusal.ofLoneCall()) : now;
    }

    /** Whether something is gained: a call that is sent ahead alone is not. */
    private static boolean overlaps(Verdict verdict) {
        return switch (verdict.outcome()) {
            case SEQUENTIAL -> false;
            case PIPELINED, PREFETCHED, CHAINED -> verdict.window() > 1;
            case SPLIT, PROMISED, LATER -> true;
        };
    }

    private static CallSetting reading(CallSetting setting, Reading reading) {
        boolean knowsMore = setting.reading().kind().compareTo(reading.kind()) >= 0;
        if (knowsMore) {
            return setting;
        }
        CallSetting styled = setting.style() == Style.SYNC ? setting.with(Style.ASYNC, window(setting)) : setting;
        return styled.with(reading);
    }

    private static int window(CallSetting setting) {
        return setting.style() == Style.SYNC ? CallSetting.AUTOMATIC_WINDOW : setting.window();
    }
}
