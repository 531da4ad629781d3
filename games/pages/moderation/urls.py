"""URL patterns of the moderators' pages."""

from django.urls import path

from games.pages.moderation import views

urlpatterns = [
    path("moderation/", views.queue, name="moderation"),
    path("moderation/log/", views.log, name="moderation_log"),
    path("moderation/players/<slug:public_id>/", views.case, name="case"),
    path("moderation/players/<slug:public_id>/act/", views.act, name="case_act"),
    path("moderation/players/<slug:public_id>/dismiss/", views.dismiss, name="case_dismiss"),
    path("moderation/players/<slug:public_id>/note/", views.note, name="case_note"),
    path("moderation/reports/<int:pk>/look/", views.look, name="case_look"),
    path("moderation/appeals/<int:pk>/", views.reply, name="case_reply"),
    path("moderation/bans/<int:pk>/", views.decide, name="case_decide"),
]
