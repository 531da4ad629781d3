"""URL patterns of pages."""

from django.urls import path

from games.pages.archive import branch, history, imports, matches, player, recap, records, replay
from games.pages.learn import counting, tools, urls
from games.pages.moderation import urls as moderation_urls
from games.pages.people import (
    account,
    account_hub,
    correspondence,
    decisions,
    export,
    friends,
    notices,
    programs,
    report,
)
from games.pages.previews import views as previews
from games.pages.site import info, install, language, style
from games.pages.tables import lessons, start, tables

_HAND = "matches/<slug:public_id>/<int:game>.<int:hand>"

app_name = "games"
urlpatterns = [
    path("", start.landing, name="landing"),
    path("play/", start.play, name="play"),
    path("invite/", start.invite, name="invite"),
    path("open/", start.open_table, name="open"),
    path("quick/", start.quick, name="quick"),
    path("seeks/post/", start.post_seek, name="seek_post"),
    path("seeks/<slug:public_id>/withdraw/", start.withdraw_seek, name="seek_withdraw"),
    path("lobby/", tables.lobby, name="lobby"),
    path("join/<slug:token>/", tables.join, name="join"),
    path("join/<slug:token>/qr.svg", tables.join_code, name="join_code"),
    path("t/<slug:public_id>/", tables.table, name="table"),
    path("matches/", history.my_matches, name="matches"),
    path("matches/import/", imports.upload, name="import"),
    path("matches/enter/", imports.enter, name="enter"),
    path("matches/enter/check/", imports.check, name="enter_check"),
    path("matches/<slug:public_id>/", matches.match, name="match"),
    path("matches/<slug:public_id>/recap/", recap.recap, name="recap"),
    path("matches/<slug:public_id>/replay.json", replay.frames, name="replay_frames"),
    path("matches/<slug:public_id>/print/", replay.printed, name="print"),
    path("matches/<slug:public_id>/branch/", branch.branch, name="branch"),
    path(f"{_HAND}/", replay.replay, name="replay_hand"),
    path(f"{_HAND}/<int:step>/", replay.replay, name="replay_step"),
    path(f"{_HAND}/<int:step>.<int:part>/", replay.replay, name="replay_part"),
    path("matches/<slug:public_id>/record.jsonl", matches.record, name="record"),
    path("friends/", friends.friends, name="friends"),
    path("friends/ask/", friends.ask, name="friend_ask"),
    path("friends/tables/<slug:match>/no/", friends.turn_down, name="friend_turn_down"),
    path("friends/<slug:public_id>/invite/", friends.invite, name="friend_invite"),
    *(
        path(
            f"friends/<slug:public_id>/{action}/",
            friends.act,
            {"action": action},
            name=f"friend_{action}",
        )
        for action in friends.ACTIONS
    ),
    path("rules/", info.rules, name="rules"),
    path("preview.jpg", previews.site, name="preview_site"),
    path("preview/<path:path>.jpg", previews.page, name="preview"),
    path("robots.txt", previews.robots, name="robots"),
    path("sitemap.xml", previews.sitemap, name="sitemap"),
    path("favicon.ico", previews.favicon, name="favicon"),
    path("manifest.webmanifest", install.manifest, name="manifest"),
    path("sw.js", install.worker, name="worker"),
    path("offline/", install.offline, name="offline"),
    path("count/", tools.counter, name="counter"),
    path("learn/", lessons.learn, name="learn"),
    path("learn/count/", counting.levels, name="counting"),
    path("learn/count/<int:level>/<int:number>/", counting.hand, name="counting_hand"),
    path("discards/", tools.discards, name="discards"),
    path("players/<slug:public_id>/", player.player, name="player"),
    path("records/", records.records, name="records"),
    path("name/", info.name, name="name"),
    path("shown/", player.shown, name="shown"),
    path("shown/<slug:public_id>/unmute/", player.unmute, name="unmute"),
    path("programs/", programs.programs, name="programs"),
    path("programs/<slug:public_id>/token/", programs.token, name="program_token"),
    path("programs/<slug:public_id>/revoke/", programs.revoke, name="program_revoke"),
    path("report/<slug:public_id>/", report.report, name="report"),
    *moderation_urls.urlpatterns,
    path("decisions/", decisions.decisions, name="decisions"),
    path("decisions/<str:token>/", decisions.closed, name="closed"),
    path("notices/", notices.notices, name="notices"),
    path("notices/mails/", notices.mails, name="notices_mails"),
    path("notices/stop/<str:token>/", notices.stop, name="notices_stop"),
    path("notices/push/", notices.subscribe, name="push_subscribe"),
    path("notices/push/stop/", notices.unsubscribe, name="push_unsubscribe"),
    path("notices/push/forget/", notices.forget_browsers, name="push_forget"),
    path("correspondence/", correspondence.settings, name="correspondence"),
    path("correspondence/away/", correspondence.go_away, name="go_away"),
    path("correspondence/back/", correspondence.come_back, name="come_back"),
    path("account/", account_hub.account, name="account"),
    path("account/browsers/", account_hub.browsers, name="browsers"),
    path("account/browsers/others/end/", account_hub.end_browsers, name="end_browsers"),
    path("account/browsers/<slug:ident>/end/", account_hub.end_browser, name="end_browser"),
    path("data/", account.data, name="data"),
    path("data/hands.csv", export.hands, name="hands_csv"),
    path("data/everything.zip", export.archive, name="archive"),
    path("data/tokens/<int:pk>/revoke/", account.revoke, name="data_token_revoke"),
    path("data/delete/", account.delete, name="delete"),
    *urls.urlpatterns,
    path("style/", style.style, name="style"),
    path("style/mail/", style.style_mail, name="style_mail"),
    path("language/", language.choose, name="language"),
    path("jsi18n/<slug:language>/", language.words, name="jsi18n"),
]
