package dev.cleave.jmh.bench.programs;

import dev.cleave.Cleave;
import dev.cleave.Pending;
import dev.cleave.jmh.bench.programs.Threads.Task;

/** {@link Dashboard} by hand. */
final class DashboardByHand {

    private final Accounts accounts;
    private final Billing billing;
    private final Messages messages;
    private final Press press;

    DashboardByHand(Accounts accounts, Billing billing, Messages messages, Press press) {
        this.accounts = accounts;
        this.billing = billing;
        this.messages = messages;
        this.press = press;
    }

    String staged(long user) {
        Pending<Accounts.Account> coming = Cleave.async(() -> accounts.account(user));
        Pending<Integer> unread = Cleave.async(() -> messages.unread(user));
        Pending<String> plan = Cleave.async(() -> accounts.plan(user));
        Pending<Double> balance = Cleave.async(() -> billing.balance(user));
        Pending<Integer> friends = Cleave.async(() -> accounts.friends(user));
        Pending<Integer> visitors = Cleave.async(press::visitors);
        Accounts.Account account = coming.await();
        Pending<Double> rate = Cleave.async(() -> billing.rate(account.currency()));
        Pending<String> headline = Cleave.async(() -> press.headline(account.language()));
        Pending<String> weather = Cleave.async(() -> press.weather(account.city()));
        String newest =
                unread.await() > 0 ? Cleave.async(() -> messages.newest(user)).await() : "";
        return text(
                account,
                plan.await(),
                balance.await() * rate.await(),
                unread.await(),
                newest,
                headline.await(),
                weather.await(),
                friends.await(),
                visitors.await());
    }

    String threaded(Threads threads, long user) {
        Task<Integer> unread = threads.start(() -> messages.unread(user));
        Task<String> plan = threads.start(() -> accounts.plan(user));
        Task<Double> balance = threads.start(() -> billing.balance(user));
        Task<Integer> friends = threads.start(() -> accounts.friends(user));
        Task<Integer> visitors = threads.start(press::visitors);
        Accounts.Account account = accounts.account(user);
        Task<Double> rate = threads.start(() -> billing.rate(account.currency()));
        Task<String> headline = threads.start(() -> press.headline(account.language()));
        Task<String> weather = threads.start(() -> press.weather(account.city()));
        String newest = unread.join() > 0 ? messages.newest(user) : "";
        return text(
                account,
                plan.join(),
                balance.join() * rate.join(),
                unread.join(),
                newest,
                headline.join(),
                weather.join(),
                friends.join(),
                visitors.join());
    }

    private static String text(
            Accounts.Account account,
            String plan,
            double due,
            int unread,
            String newest,
            String headline,
            String weather,
            int friends,
            int visitors) {
        String mail = unread > 0 ? unread + " new: " + newest + "\n" : "";
        return "Hello " + account.name() + ", " + plan + "\ndue: " + due + " " + account.currency() + "\n" + mail
                + headline + "\n" + account.city() + ": " + weather + "\n" + friends + " of " + visitors
                + " are friends\n";
    }
}
